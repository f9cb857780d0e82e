<?php

declare(strict_types=1);

namespace Verdict;

/** No whole answer within the time. */
final class TimedOut extends \RuntimeException
{
}
