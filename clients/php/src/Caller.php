<?php

declare(strict_types=1);

namespace Verdict;

/** Sends a call until it is answered, refused for good, or out of tries or time. */
final class Caller
{
    private const FIRST_WAIT = 0.05;
    private const WAIT_MAX = 2.0;

    private readonly Transport $transport;
    private readonly RetryBreaker $breaker;
    private float $keysPausedUntil = 0;

    public function __construct(
        #[\SensitiveParameter] private readonly \Closure $apiKey,
        private readonly \Closure $baseUrl,
        public readonly float $timeout,
        private readonly float $deadline,
        private readonly int $retries,
        private readonly bool $idempotency,
    ) {
        $this->transport = new Transport();
        $this->breaker = new RetryBreaker();
    }

    /**
     * Shows nothing in dumps, because closures show the key that they hold.
     *
     * @return array{}
     */
    public function __debugInfo(): array
    {
        return [];
    }

    /** @return array{0: array<string, mixed>, 1: Limits} the answer, and what is left */
    public function __invoke(Call $call, Options $options = new Options()): array
    {
        $url = ($this->baseUrl)() . $call->path;
        $retries = $options->retries ?? $this->retries;
        $timeout = $options->timeout ?? $call->timeout ?? $this->timeout;
        $deadline = $options->deadline ?? $this->deadline;
        $endsAt = microtime(true) + $deadline;
        $ownKey = null;
        if ($call->isCharged && $call->idempotencyKey === null && $this->idempotency && microtime(true) >= $this->keysPausedUntil) {
            $ownKey = bin2hex(random_bytes(16));
        }
        for ($attempt = 0; ; $attempt++) {
            try {
                $answer = $this->try($call, $url, $call->idempotencyKey ?? $ownKey, $timeout, $deadline, $endsAt);
                if ($call->isInteractive) {
                    $this->breaker->record(false);
                }
                return $answer;
            } catch (VerdictError $error) {
                if ($call->isInteractive) {
                    $this->breaker->record($error->validatorUnavailable() && $error->status !== 429);
                }
                if ($ownKey !== null && $error->errorCode === 'idempotency_limit') {
                    // Nothing of this call was admitted, nor will anything be under its key: it goes on without.
                    $this->keysPausedUntil = microtime(true) + ($error->retryAfterSeconds ?? 0);
                    $ownKey = null;
                    $attempt--;
                    continue;
                }
                $mayHaveCounted = $call->isCharged && $call->idempotencyKey === null && $ownKey === null && $error->status !== 429;
                if (!$error->retryable() || $attempt >= $retries || $mayHaveCounted) {
                    throw $error;
                }
                if ($call->isInteractive && $error->status !== 429 && $this->breaker->isOpen()) {
                    throw $error;
                }
                $jitter = mt_rand() / mt_getrandmax() * min(self::WAIT_MAX, self::FIRST_WAIT * 2 ** $attempt);
                $wait = ($error->retryAfterSeconds ?? 0) + $jitter;
                // Waiting past the deadline would only turn a clear reason into a vague one.
                if ($wait >= $endsAt - microtime(true)) {
                    throw $error;
                }
                usleep((int) ($wait * 1e6));
            }
        }
    }

    /** @return array{0: array<string, mixed>, 1: Limits} */
    private function try(Call $call, string $url, ?string $key, float $timeout, float $deadline, float $endsAt): array
    {
        $headers = [
            'Accept' => 'application/json',
            'User-Agent' => 'verdict-php/' . Version::VERSION . ' PHP/' . PHP_VERSION,
            'X-API-Key' => ($this->apiKey)(),
        ];
        if ($key !== null) {
            $headers['Idempotency-Key'] = $key;
        }
        if ($call->droppedIps > 0) {
            $headers['Verdict-Dropped-Ips'] = (string) $call->droppedIps;
        }
        $type = $call->contentType ?? ($call->json === null ? null : 'application/json');
        if ($type !== null) {
            $headers['Content-Type'] = $type;
        }
        $body = $call->open ? ($call->open)() : ($call->json === null ? null : json_encode($call->json, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES));
        $left = $endsAt - microtime(true);
        try {
            $answer = $this->transport->send($call->method, $url, $headers, $body, max(0.001, min($timeout, $left)));
        } catch (TimedOut) {
            throw $endsAt - microtime(true) <= 0.002
                ? new VerdictError("No answer within the deadline of $deadline s.", 'deadline_exceeded')
                : new VerdictError("No answer within $timeout s.", 'timeout');
        } catch (Unreachable) {
            throw new VerdictError('The service could not be reached.', 'network_error');
        }
        return self::read($answer, $url, $call->isAnswer);
    }

    /**
     * @param array{status: int, headers: array<string, string>, body: string} $answer
     * @return array{0: array<string, mixed>, 1: Limits}
     */
    private static function read(array $answer, string $url, \Closure $isAnswer): array
    {
        ['status' => $status, 'headers' => $headers] = $answer;
        $limits = Limits::read($headers);
        $fail = static fn (string $message, string $code, array $more = []): VerdictError => new VerdictError(
            $message,
            $code,
            $status,
            $headers['x-request-id'] ?? null,
            self::retryAfter($headers['retry-after'] ?? null),
            $limits,
            $more['errors'] ?? [],
            $more['checks_used'] ?? null,
            $more['checks_limit'] ?? null,
        );
        if ($status >= 300 && $status < 400) {
            $target = self::origin($headers['location'] ?? '') ?? self::origin($url);
            throw $fail('baseUrl leads elsewhere: ' . self::origin($url) . " redirects to $target. The key was not sent there.", 'redirected');
        }
        $body = json_decode($answer['body'], true, 64);
        if ($body === null && trim($answer['body']) !== 'null') {
            throw $fail("Something other than the API answered $status: its answer is not JSON.", 'not_json');
        }
        $isOk = $status >= 200 && $status < 300;
        if (is_array($body)) {
            if ($isOk && $isAnswer($body)) {
                return [$body, $limits];
            }
            if (!$isOk && is_string($body['error'] ?? null) && is_string($body['code'] ?? null)) {
                throw $fail($body['error'], $body['code'], $body);
            }
        }
        throw $fail("Something other than the API answered $status: its JSON is not an answer to this call.", 'bad_answer');
    }

    /** In seconds, or as the date that proxies write. */
    private static function retryAfter(?string $text): ?float
    {
        if ($text === null) {
            return null;
        }
        $time = is_numeric($text) ? null : strtotime($text);
        return is_numeric($text) ? max(0.0, (float) $text) : ($time === false ? null : max(0.0, $time - microtime(true)));
    }

    private static function origin(string $url): ?string
    {
        $parts = parse_url($url) ?: [];
        return isset($parts['scheme'], $parts['host'])
            ? "{$parts['scheme']}://{$parts['host']}" . (isset($parts['port']) ? ":{$parts['port']}" : '')
            : null;
    }
}
