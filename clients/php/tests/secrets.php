<?php

declare(strict_types=1);

// Prints where the key shows: dumps and traces end up in logs and at error reporters.
require __DIR__ . '/../autoload.php';

use Verdict\Verdict;
use Verdict\VerdictError;

const KEY = 'vrd_live_never_shown';

$verdict = new Verdict(KEY, 'http://127.0.0.1:1/', retries: 0, deadline: 0.3);
ob_start();
var_dump($verdict, $verdict->jobs);
print_r($verdict);
$shown = ['dump' => (string) ob_get_clean()];
try {
    $verdict->check('a@b.example');
} catch (VerdictError $error) {
    $shown['error'] = (string) $error;
    $shown['trace'] = print_r($error->getTrace(), true);
}
foreach ($shown as $where => $text) {
    echo "$where: ", str_contains($text, KEY) ? 'shown' : 'hidden', "\n";
}
