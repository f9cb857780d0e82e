<?php

declare(strict_types=1);

namespace Verdict;

/** A verdict. When `fallback` is set, the validator could not be asked and your own decision stands in. */
final class Check
{
    /**
     * @param 'allow'|'challenge'|'review'|'block' $decision
     * @param array<string, mixed> $signals
     * @param list<string> $reasons
     * @param array<string, mixed>|null $breakdown
     * @param bool $ipDropped the ip was none, so lists and rules by network did not see the check
     */
    public function __construct(
        public readonly string $decision,
        public readonly string $email,
        public readonly ?string $ip = null,
        public readonly ?string $id = null,
        public readonly int|float|null $riskScore = null,
        public readonly array $signals = [],
        public readonly array $reasons = [],
        public readonly ?string $createdAt = null,
        public readonly ?array $breakdown = null,
        public readonly ?VerdictError $fallback = null,
        public readonly bool $ipDropped = false,
    ) {
    }

    /** @param array<string, mixed> $body */
    public static function of(array $body, bool $ipDropped = false): self
    {
        return new self(
            $body['decision'],
            $body['email'] ?? '',
            $body['ip'] ?? null,
            $body['id'] ?? null,
            $body['risk_score'] ?? null,
            $body['signals'] ?? [],
            $body['reasons'] ?? [],
            $body['created_at'] ?? null,
            $body['breakdown'] ?? null,
            null,
            $ipDropped,
        );
    }
}
