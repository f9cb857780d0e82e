<?php

declare(strict_types=1);

namespace Verdict;

/** How patient one call is, in seconds; null is what the client has. */
final class Options
{
    public function __construct(
        public readonly ?float $timeout = null,
        public readonly ?float $deadline = null,
        public readonly ?int $retries = null,
    ) {
    }
}
