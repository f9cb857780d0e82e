<?php

declare(strict_types=1);

namespace Verdict;

/** The client of the Verdict email risk API. */
final class Verdict
{
    private const DECISIONS = ['allow', 'challenge', 'review', 'block'];
    private const FIRST_BATCH = 50;
    private const BATCH_MAX = 1000;
    /** What a batch may take per item beyond the time of a single check. */
    private const ITEM_SECONDS = 0.01;

    public readonly Jobs $jobs;
    private readonly Caller $call;
    private readonly Ips $ips;

    /**
     * @param ?string $apiKey otherwise VERDICT_API_KEY
     * @param ?string $baseUrl with its version, `https://…/api/v1/`; otherwise VERDICT_URL
     * @param float $timeout seconds for one try; a batch adds 0.01 for each item
     * @param float $deadline seconds for one call, tries and waits together
     * @param bool $idempotency whether checks carry an Idempotency-Key, so that all tries count as one
     * @param 'allow'|'challenge'|'review'|'block'|null $fallback the decision that stands in when the validator is slow or down
     * @param ?callable(string): void $warn told once when an ip is none; trigger_error
     */
    public function __construct(
        #[\SensitiveParameter] ?string $apiKey = null,
        ?string $baseUrl = null,
        float $timeout = 1.0,
        float $deadline = 3.0,
        int $retries = 2,
        bool $idempotency = true,
        private readonly ?string $fallback = null,
        ?callable $warn = null,
    ) {
        if (!($timeout > 0) || !($deadline > 0) || $retries < 0) {
            throw new \InvalidArgumentException('timeout and deadline must be more than 0, retries 0 or more');
        }
        $address = $baseUrl === null ? null : self::readBaseUrl($baseUrl);
        $key = static fn (): string => $apiKey ?: getenv('VERDICT_API_KEY') ?: throw self::notConfigured('VERDICT_API_KEY', 'apiKey');
        $url = static fn (): string => $address
            ?? self::readBaseUrl(getenv('VERDICT_URL') ?: throw self::notConfigured('VERDICT_URL', 'baseUrl'));
        $this->call = new Caller($key, $url, $timeout, $deadline, $retries, $idempotency);
        $this->ips = new Ips($warn !== null ? $warn(...) : static fn (string $message) => trigger_error($message, E_USER_WARNING));
        $this->jobs = new Jobs($this->call);
    }

    /** How many values of `ip` were none and were dropped. */
    public function ipsDropped(): int
    {
        return $this->ips->dropped;
    }

    /**
     * How risky is this address? Throws VerdictError, except where the fallback stands in.
     *
     * @param list<'signals'|'breakdown'> $expand
     * @param ?string $tag what the check is for, such as a form or a campaign, never a person; at most 64 characters
     */
    public function check(
        string $email,
        ?string $ip = null,
        array $expand = [],
        ?string $idempotencyKey = null,
        Options $options = new Options(),
        ?string $tag = null,
    ): Check {
        if ($email === '') {
            $errors = [['field' => 'email', 'message' => 'is required']];
            throw new VerdictError('email: is required', 'invalid_request', 400, errors: $errors);
        }
        $usable = $this->ips->read($ip);
        $isDropped = $ip !== null && $ip !== '' && $usable === null;
        $call = new Call(
            'POST',
            'check/' . self::query($expand),
            self::isCheck(...),
            array_filter(['email' => $email, 'ip' => $usable, 'tag' => $tag], static fn (?string $value): bool => $value !== null),
            isCharged: true,
            isInteractive: true,
            idempotencyKey: $idempotencyKey,
            droppedIps: (int) $isDropped,
        );
        try {
            return Check::of(($this->call)($call, $options)[0], $isDropped);
        } catch (VerdictError $error) {
            if ($this->fallback === null || !$error->validatorUnavailable()) {
                throw $error;
            }
            return new Check($this->fallback, $email, $ip, fallback: $error, ipDropped: $isDropped);
        }
    }

    /**
     * Checks any number of addresses, in requests as large as the plan allows. The first failure stops the batch, whatever the
     * fallback; `$error->results` has what was answered.
     *
     * @param list<array{email: string, ip?: ?string, tag?: string, ref?: string}> $items
     * @param list<'signals'|'breakdown'> $expand
     * @return list<BatchResult>
     */
    public function checkBatch(array $items, array $expand = [], int $batchSize = self::FIRST_BATCH, Options $options = new Options()): array
    {
        $results = [];
        try {
            foreach ($this->checkEach($items, $expand, $batchSize, $options) as $result) {
                $results[] = $result;
            }
        } catch (VerdictError $error) {
            $error->results = $results;
            throw $error;
        }
        return $results;
    }

    /**
     * As checkBatch, one result after the other, from any iterable.
     *
     * @param iterable<array{email: string, ip?: ?string, tag?: string, ref?: string}> $items
     * @param list<'signals'|'breakdown'> $expand
     * @return \Generator<int, BatchResult>
     */
    public function checkEach(iterable $items, array $expand = [], int $batchSize = self::FIRST_BATCH, Options $options = new Options()): \Generator
    {
        $patience = new Options($options->timeout, $options->deadline ?? 30.0, $options->retries ?? 10);
        $size = $batchSize;
        $part = [];
        foreach ($items as $item) {
            $part[] = $item;
            if (count($part) >= $size) {
                yield from $this->checkPart($part, $expand, $patience, $size);
                $part = [];
            }
        }
        if ($part !== []) {
            yield from $this->checkPart($part, $expand, $patience, $size);
        }
    }

    /**
     * Says what became of checked people: at most 1,000 items, by the `id` of a check or by address. Never counts, and is safe to
     * repeat: the last word wins. Needs a key with the scope `outcomes`.
     *
     * @param list<array{id?: string, email?: string, outcome: 'genuine'|'abuse'|'bounced'|'complained', note?: string}> $items
     * @return array<string, mixed>
     */
    public function outcomes(array $items, Options $options = new Options()): array
    {
        $isAnswer = static fn (array $body): bool => is_int($body['recorded'] ?? null) && is_array($body['errors'] ?? null);
        $timeout = $this->call->timeout + count($items) * self::ITEM_SECONDS;
        return ($this->call)(new Call('POST', 'outcomes/', $isAnswer, ['items' => $items], timeout: $timeout), $options)[0];
    }

    /** Is the service there and the key good? Never counts. @return array<string, mixed> */
    public function status(Options $options = new Options()): array
    {
        return ($this->call)(new Call('GET', 'status/', static fn (array $body): bool => ($body['status'] ?? null) === 'ok'), $options)[0];
    }

    /** What the running month has used. Never counts. @return array<string, mixed> */
    public function usage(Options $options = new Options()): array
    {
        return ($this->call)(new Call('GET', 'usage/', static fn (array $body): bool => is_int($body['checks_used'] ?? null)), $options)[0];
    }

    /**
     * @param list<array{email: string, ip?: ?string, tag?: string, ref?: string}> $part
     * @param list<string> $expand
     * @return \Generator<int, BatchResult>
     */
    private function checkPart(array $part, array $expand, Options $options, int &$size): \Generator
    {
        $dropped = $this->ips->dropped;
        $items = array_map(function (array $item): array {
            $ip = $this->ips->read($item['ip'] ?? null);
            unset($item['ip']);
            return $ip === null ? $item : [...$item, 'ip' => $ip];
        }, $part);
        $isBatch = static fn (array $body): bool => is_array($body['results'] ?? null)
            && count($body['results']) === count($items)
            && array_filter($body['results'], self::isItem(...)) === $body['results'];
        $call = new Call(
            'POST',
            'check/batch/' . self::query($expand),
            $isBatch,
            ['items' => $items],
            timeout: $this->call->timeout + count($items) * self::ITEM_SECONDS,
            isCharged: true,
            droppedIps: $this->ips->dropped - $dropped,
        );
        [$body, $limits] = ($this->call)($call, $options);
        $size = (int) max(1, min(self::BATCH_MAX, $limits->rateLimit ?? $size));
        foreach ($body['results'] as $item) {
            yield BatchResult::of($item);
        }
    }

    /** @param array<mixed> $body */
    private static function isCheck(array $body): bool
    {
        return ($body['success'] ?? null) === true && in_array($body['decision'] ?? null, self::DECISIONS, true);
    }

    private static function isItem(mixed $item): bool
    {
        return is_array($item)
            && (is_array($item['check'] ?? null) ? self::isCheck($item['check']) : is_string($item['error'] ?? null));
    }

    /** @param list<string> $expand */
    private static function query(array $expand): string
    {
        return $expand === [] ? '' : '?expand=' . implode(',', $expand);
    }

    /** The address of the API with its last slash. A bare origin means version 1. */
    private static function readBaseUrl(string $text): string
    {
        $parts = parse_url($text) ?: [];
        if (!in_array($parts['scheme'] ?? '', ['http', 'https'], true) || !isset($parts['host'])) {
            throw new \InvalidArgumentException("baseUrl must be an http or https address, not \"$text\"");
        }
        if (isset($parts['query']) || isset($parts['fragment'])) {
            throw new \InvalidArgumentException('baseUrl must have neither a query nor a fragment');
        }
        $address = rtrim($text, '/') . '/';
        return in_array($parts['path'] ?? '', ['', '/'], true) ? "{$address}api/v1/" : $address;
    }

    private static function notConfigured(string $variable, string $option): VerdictError
    {
        return new VerdictError("Set $variable, or give the client $option.", 'not_configured');
    }
}
