<?php

declare(strict_types=1);

// Runs the cases of packages/sdk-conformance: one task a line on standard input, one outcome a line on standard output.

require __DIR__ . '/autoload.php';

use Verdict\BatchResult;
use Verdict\Check;
use Verdict\Options;
use Verdict\Verdict;
use Verdict\VerdictError;
use Verdict\Webhook;

const SECONDS = ['timeoutMs' => 'timeout', 'deadlineMs' => 'deadline', 'intervalMs' => 'interval'];

/** @param array<string, mixed> $given @return array<string, mixed> */
function named(array $given): array
{
    $named = [];
    foreach ($given as $name => $value) {
        $named[SECONDS[$name] ?? $name] = isset(SECONDS[$name]) ? $value / 1000 : $value;
    }
    return $named;
}

/** @return array<string, mixed> */
function told(VerdictError $error): array
{
    return [
        'message' => $error->getMessage(),
        'code' => $error->errorCode,
        'status' => $error->status,
        'requestId' => $error->requestId,
        'retryAfterSeconds' => $error->retryAfterSeconds,
        'limits' => $error->limits,
        'errors' => $error->errors,
        'checksUsed' => $error->checksUsed,
        'checksLimit' => $error->checksLimit,
        'quotaUsedUp' => $error->quotaUsedUp(),
        'results' => array_map(static fn ($result): bool => $result !== null, $error->results),
    ];
}

function plain(mixed $value): mixed
{
    if ($value instanceof Check) {
        return ['success' => $value->fallback === null, 'risk_score' => $value->riskScore, ...array_diff_key((array) $value, ['fallback' => 0])];
    }
    if ($value instanceof BatchResult) {
        return [...(array) $value, 'check' => plain($value->check)];
    }
    return is_array($value) ? array_map('plain', $value) : $value;
}

function stream(string $text): mixed
{
    $stream = fopen('php://temp', 'w+b');
    fwrite($stream, $text);
    rewind($stream);
    return $stream;
}

function fileOf(array $call): mixed
{
    $path = sys_get_temp_dir() . '/verdict-php-' . getmypid() . '.csv';
    return match ($call['as'] ?? null) {
        'missing' => new SplFileInfo('nowhere.csv'),
        'stream' => stream($call['input']),
        'path' => file_put_contents($path, $call['input']) === false ? null : new SplFileInfo($path),
        default => $call['input'],
    };
}

function make(Verdict $verdict, array $call, int &$read): mixed
{
    $options = named($call['options'] ?? []);
    $patience = new Options($options['timeout'] ?? null, $options['deadline'] ?? null, $options['retries'] ?? null);
    $rest = array_diff_key($options, ['timeout' => 0, 'deadline' => 0, 'retries' => 0, 'concurrency' => 0]);
    $input = $call['input'] ?? null;
    switch ($call['method']) {
        case 'check':
            ['email' => $email, 'ip' => $ip, 'tag' => $tag] = (is_array($input) ? $input : ['email' => $input]) + ['ip' => null, 'tag' => null];
            return $verdict->check($email, $ip, ...$rest, options: $patience, tag: $tag);
        case 'checkBatch':
            return $verdict->checkBatch($input, ...$rest, options: $patience);
        case 'checkEach':
        case 'jobs.results':
            $rows = [];
            $each = $call['method'] === 'checkEach'
                ? $verdict->checkEach($input, ...$rest, options: $patience)
                : $verdict->jobs->results($input, ...$rest);
            foreach ($each as $row) {
                $rows[] = $row;
                $read++;
            }
            return $rows;
        case 'jobs.create':
            return $verdict->jobs->create(fileOf($call), ...$rest);
        case 'jobs.wait':
            return $verdict->jobs->wait($input, ...array_diff_key($options, ['deadline' => 0]));
        case 'jobs.get':
        case 'jobs.start':
            return $verdict->jobs->{substr($call['method'], 5)}($input, $patience);
        case 'outcomes':
            return $verdict->outcomes($input, $patience);
        case 'verifyWebhook':
            return Webhook::verify($input['secret'], $input['headers'], $input['body'], now: $input['now']);
        default:
            return $verdict->{$call['method']}($patience);
    }
}

/** @return array<string, mixed> */
function run(array $task): array
{
    $warnings = [];
    $outcome = [];
    $options = named(['apiKey' => 'k', 'timeoutMs' => 60_000, 'deadlineMs' => 120_000, ...$task['client']]);
    unset($options['concurrency']);
    $warn = static function (string $message) use (&$warnings): void {
        $warnings[] = $message;
    };
    try {
        $verdict = new Verdict(...$options, baseUrl: $task['baseUrl'], warn: $warn);
        for ($i = 0; $i < $task['calls']; $i++) {
            $read = 0;
            try {
                $value = make($verdict, $task['call'], $read);
                $outcome = $value instanceof Check && $value->fallback !== null
                    ? ['fallback' => [...plain($value), ...told($value->fallback)]]
                    : ['value' => plain($value)];
            } catch (VerdictError $error) {
                $outcome = ['error' => told($error), 'read' => $read];
            }
        }
        return [...$outcome, 'warnings' => $warnings, 'ipsDropped' => $verdict->ipsDropped()];
    } catch (TypeError | InvalidArgumentException $error) {
        return ['usageError' => $error->getMessage()];
    } catch (Throwable $error) {
        return ['fileError' => $error->getMessage()];
    }
}

while (($line = fgets(STDIN)) !== false) {
    $task = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    echo json_encode(['id' => $task['id'], 'outcome' => run($task)], JSON_THROW_ON_ERROR), "\n";
}
