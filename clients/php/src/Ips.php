<?php

declare(strict_types=1);

namespace Verdict;

/**
 * Takes off port and brackets, drops what is no address, counts it and warns once. A proxy's mistake must not cost a sign-up, but
 * lists and rules by network do not see such a check.
 */
final class Ips
{
    public int $dropped = 0;

    /** @param \Closure(string): void $warn */
    public function __construct(private readonly \Closure $warn)
    {
    }

    public function read(?string $ip): ?string
    {
        if ($ip === null || $ip === '') {
            return null;
        }
        $text = trim($ip);
        if (preg_match('/^\[([^\]]*)\](?::\d{1,5})?$/', $text, $found) || preg_match('/^([^:]+):\d{1,5}$/', $text, $found)) {
            $text = $found[1];
        }
        if (filter_var($text, FILTER_VALIDATE_IP) !== false) {
            return $text;
        }
        if (++$this->dropped === 1) {
            ($this->warn)('verdict: ' . json_encode($ip) . ' is not an IP address, so checks are sent without it.');
        }
        return null;
    }
}
