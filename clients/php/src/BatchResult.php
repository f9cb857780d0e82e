<?php

declare(strict_types=1);

namespace Verdict;

/** A check, or what is wrong with the item. */
final class BatchResult
{
    /** @param list<array{field: string, message: string}> $errors */
    public function __construct(
        public readonly ?string $ref,
        public readonly ?Check $check = null,
        public readonly ?string $error = null,
        public readonly ?string $code = null,
        public readonly array $errors = [],
    ) {
    }

    /** @param array<string, mixed> $item */
    public static function of(array $item): self
    {
        return isset($item['check'])
            ? new self($item['ref'] ?? null, Check::of($item['check']))
            : new self($item['ref'] ?? null, null, $item['error'] ?? null, $item['code'] ?? null, $item['errors'] ?? []);
    }
}
