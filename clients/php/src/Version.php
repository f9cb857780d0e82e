<?php

declare(strict_types=1);

namespace Verdict;

/** The release of this client; a test compares it with package.json. */
final class Version
{
    public const VERSION = '0.2.0';
}
