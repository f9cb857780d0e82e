<?php

declare(strict_types=1);

namespace Verdict;

/** One request to the API. */
final class Call
{
    /**
     * @param \Closure(array<mixed>): bool $isAnswer
     * @param mixed $json null for none
     * @param \Closure(): (string|resource)|null $open opens the body for every try
     * @param bool $isCharged without a key it might count twice when it is sent twice
     * @param bool $isInteractive a person waits for it, so it is not repeated while most calls of its kind fail
     * @param ?string $idempotencyKey one of the caller's own: it is sent, or the call fails
     * @param int $droppedIps values of `ip` that were left out of it; the server shows their number by key
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly \Closure $isAnswer,
        public readonly mixed $json = null,
        public readonly ?\Closure $open = null,
        public readonly ?string $contentType = null,
        public readonly ?float $timeout = null,
        public readonly bool $isCharged = false,
        public readonly bool $isInteractive = false,
        public readonly ?string $idempotencyKey = null,
        public readonly int $droppedIps = 0,
    ) {
    }
}
