<?php

declare(strict_types=1);

namespace Verdict;

/** What the client throws. The message is a sentence for people, `errorCode` is for programs. */
final class VerdictError extends \RuntimeException
{
    /** Something between us and the API answered in its place. */
    private const FOREIGN = ['not_json', 'bad_answer', 'redirected'];
    /** A month does not end within a deadline. */
    private const FINAL = ['deadline_exceeded', 'not_configured', 'quota_exceeded', 'key_quota_exceeded', 'idempotency_limit', 'test_limit'];

    /** @var list<array{ref: ?string, check?: array<string, mixed>}|null> of a batch that failed: what was answered, each at the index of its item */
    public array $results = [];

    /**
     * @param int $status 0 when there was no answer
     * @param list<array{field: string, message: string}> $errors the fields that a 400 names
     */
    public function __construct(
        string $message,
        public readonly string $errorCode,
        public readonly int $status = 0,
        public readonly ?string $requestId = null,
        public readonly ?float $retryAfterSeconds = null,
        public readonly ?Limits $limits = null,
        public readonly array $errors = [],
        public readonly ?int $checksUsed = null,
        public readonly ?int $checksLimit = null,
    ) {
        parent::__construct($message);
    }

    /** The validator is slow, down, has no room, or something else answered: a fallback decision may stand in. */
    public function validatorUnavailable(): bool
    {
        return $this->errorCode !== 'not_configured'
            && (in_array($this->errorCode, self::FOREIGN, true) || self::isTransient($this->status));
    }

    /** The month's checks are used up, for the account or for this key: no outage, and it lasts until the month ends. */
    public function quotaUsedUp(): bool
    {
        return in_array($this->errorCode, ['quota_exceeded', 'key_quota_exceeded'], true);
    }

    /** Whether the same request may be answered when it is sent again. */
    public function retryable(): bool
    {
        if (in_array($this->errorCode, self::FINAL, true)) {
            return false;
        }
        return self::isTransient($this->status)
            || (in_array($this->errorCode, self::FOREIGN, true) && $this->status < 300);
    }

    private static function isTransient(int $status): bool
    {
        return in_array($status, [0, 408, 429], true) || $status >= 500;
    }
}
