<?php

declare(strict_types=1);

namespace Verdict;

/** Bulk jobs: a file goes in, every row comes back with its verdict. */
final class Jobs
{
    private const UPLOAD_SECONDS = 600.0;
    private const TYPES = ['csv' => 'text/csv', 'ndjson' => 'application/x-ndjson', 'json' => 'application/json'];
    private const FORMATS = ['ndjson' => 'ndjson', 'jsonl' => 'ndjson', 'json' => 'json'];
    private const MOVING = ['parsing', 'running'];

    /** @internal */
    public function __construct(private readonly Caller $call)
    {
    }

    /**
     * Takes text, rows, an open stream or an \SplFileInfo. A stream is sent once; an error of the file is thrown as it is.
     *
     * @param string|array<mixed>|resource|\SplFileInfo $file
     * @return array<string, mixed>
     */
    public function create(
        mixed $file,
        ?string $format = null,
        ?string $column = null,
        bool $start = false,
        ?string $name = null,
        ?string $idempotencyKey = null,
    ): array {
        $found = 'csv';
        $retries = null;
        if ($file instanceof \SplFileInfo) {
            $found = self::FORMATS[strtolower($file->getExtension())] ?? 'csv';
            $path = $file->getPathname();
            $open = static fn () => self::openFile($path);
        } elseif (is_array($file)) {
            $found = 'json';
            $text = json_encode($file, JSON_THROW_ON_ERROR);
            $open = static fn (): string => $text;
        } elseif (is_resource($file)) {
            $retries = 0;
            $open = static fn () => $file;
        } else {
            $open = static fn (): string => (string) $file;
        }
        $query = http_build_query(array_filter(
            ['column' => $column, 'name' => $name, 'start' => $start ? 'auto' : null],
            static fn (?string $value): bool => $value !== null,
        ));
        $call = new Call(
            'POST',
            "jobs/?$query",
            self::hasJob(...),
            open: $open,
            contentType: self::TYPES[$format ?? $found],
            idempotencyKey: $idempotencyKey ?? bin2hex(random_bytes(16)),
        );
        return ($this->call)($call, new Options(self::UPLOAD_SECONDS, self::UPLOAD_SECONDS, $retries))[0]['job'];
    }

    /** @return array<string, mixed> */
    public function get(string $id, Options $options = new Options()): array
    {
        return $this->one('GET', $id, '', $options);
    }

    /** @return array<string, mixed> */
    public function start(string $id, Options $options = new Options()): array
    {
        return $this->one('POST', $id, 'start/', $options);
    }

    /** @return array<string, mixed> */
    public function pause(string $id, Options $options = new Options()): array
    {
        return $this->one('POST', $id, 'pause/', $options);
    }

    /** @return array<string, mixed> */
    public function cancel(string $id, Options $options = new Options()): array
    {
        return $this->one('POST', $id, 'cancel/', $options);
    }

    /** Erases the job with all of its rows. */
    public function remove(string $id): void
    {
        $isSuccess = static fn (array $body): bool => ($body['success'] ?? null) === true;
        ($this->call)(new Call('DELETE', 'jobs/' . rawurlencode($id) . '/', $isSuccess, timeout: 60.0), new Options(deadline: 60.0));
    }

    /** @return list<array<string, mixed>> */
    public function list(): array
    {
        return iterator_to_array($this->pages('jobs/', '', 'jobs', new Options()), false);
    }

    /**
     * Returns when the job has ended, paused, or is ready and waits for `start`: `status` says which.
     *
     * @param ?float $timeout seconds in all; afterwards it throws `deadline_exceeded`
     * @return array<string, mixed>
     */
    public function wait(string $id, float $interval = 2.0, ?float $timeout = null, ?callable $onProgress = null): array
    {
        $endsAt = $timeout === null ? INF : microtime(true) + $timeout;
        while (($left = $endsAt - microtime(true)) > 0) {
            $job = $this->one('GET', $id, '', new Options(null, min(120.0, $left), 20));
            if ($onProgress !== null) {
                $onProgress($job);
            }
            if (!in_array($job['status'], self::MOVING, true)) {
                return $job;
            }
            usleep((int) (1e6 * max(0.0, min($interval, $endsAt - microtime(true)))));
        }
        throw new VerdictError("The job $id did not end within $timeout s.", 'deadline_exceeded');
    }

    /**
     * Every row of the file in its order.
     *
     * @param list<string> $decisions rows with these decisions only
     * @return \Generator<int, array<string, mixed>>
     */
    public function results(string $id, array $decisions = []): \Generator
    {
        $wanted = $decisions === [] ? '' : '&decision=' . implode(',', $decisions);
        yield from $this->pages('jobs/' . rawurlencode($id) . '/results/', $wanted, 'results', new Options(30.0, 120.0, 20));
    }

    /** @return \Generator<int, array<string, mixed>> */
    private function pages(string $path, string $query, string $name, Options $options): \Generator
    {
        $isPage = static fn (array $body): bool => is_array($body[$name] ?? null)
            && array_key_exists('next_cursor', $body)
            && ($body['next_cursor'] === null || is_string($body['next_cursor']));
        $cursor = '';
        do {
            [$page] = ($this->call)(new Call('GET', "$path?limit=500$query$cursor", $isPage), $options);
            foreach ($page[$name] as $row) {
                yield $row;
            }
            $cursor = '&cursor=' . rawurlencode((string) $page['next_cursor']);
        } while ($page['next_cursor'] !== null);
    }

    /** @return array<string, mixed> */
    private function one(string $method, string $id, string $verb, Options $options): array
    {
        return ($this->call)(new Call($method, 'jobs/' . rawurlencode($id) . "/$verb", self::hasJob(...)), $options)[0]['job'];
    }

    /** @param array<mixed> $body */
    private static function hasJob(array $body): bool
    {
        return is_string($body['job']['id'] ?? null) && is_string($body['job']['status'] ?? null);
    }

    /** @return resource */
    private static function openFile(string $path): mixed
    {
        $file = is_readable($path) ? fopen($path, 'rb') : false;
        return $file !== false ? $file : throw new \RuntimeException("$path cannot be read");
    }
}
