<?php

declare(strict_types=1);

namespace Verdict;

/** No connection, or one that ended without a whole answer. */
final class Unreachable extends \RuntimeException
{
}
