<?php

declare(strict_types=1);

namespace Verdict;

/** How much is left, as the headers of an answer say. */
final class Limits
{
    public function __construct(
        public readonly ?float $rateLimit,
        public readonly ?float $rateRemaining,
        public readonly ?float $quotaLimit,
        public readonly ?float $quotaRemaining,
        public readonly ?float $quotaResetSeconds,
    ) {
    }

    /** @param array<string, string> $headers */
    public static function read(array $headers): self
    {
        $number = static fn (string $name): ?float => is_numeric($headers[$name] ?? null) ? (float) $headers[$name] : null;
        return new self(
            $number('ratelimit-limit'),
            $number('ratelimit-remaining'),
            $number('x-quota-limit'),
            $number('x-quota-remaining'),
            $number('x-quota-reset'),
        );
    }
}
