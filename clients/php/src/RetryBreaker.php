<?php

declare(strict_types=1);

namespace Verdict;

/** Stops retries while more than half of the recent tries failed: repeating them would keep a struggling service down. */
final class RetryBreaker
{
    private const RECENT = 128;
    private const ENOUGH = 10;

    /** @var list<bool> */
    private array $recent = [];

    public function record(bool $isFailure): void
    {
        $this->recent[] = $isFailure;
        if (count($this->recent) > self::RECENT) {
            array_shift($this->recent);
        }
    }

    public function isOpen(): bool
    {
        return count($this->recent) >= self::ENOUGH
            && count(array_filter($this->recent)) * 2 > count($this->recent);
    }
}
