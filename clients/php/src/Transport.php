<?php

declare(strict_types=1);

namespace Verdict;

/**
 * One request over a kept connection. curl's limit holds for all of it: name, handshake, each byte of the answer. It reads HTTPS_PROXY,
 * http_proxy and NO_PROXY by itself.
 */
final class Transport
{
    private ?\CurlHandle $curl = null;
    private int $pid = 0;

    /**
     * @param array<string, string> $headers
     * @param string|resource|null $body
     * @return array{status: int, headers: array<string, string>, body: string}
     * @throws TimedOut when there was no whole answer in time
     * @throws Unreachable when there was no connection, or one that ended early
     */
    public function send(string $method, string $url, #[\SensitiveParameter] array $headers, mixed $body, float $timeout): array
    {
        $curl = $this->open();
        $answer = [];
        $lines = array_map(static fn (string $name, string $value): string => "$name: $value", array_keys($headers), $headers);
        curl_setopt_array($curl, [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_ENCODING => 'gzip',
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => max(1, (int) ceil($timeout * 1000)),
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$answer): int {
                [$name, $value] = explode(':', $line, 2) + [1 => null];
                if ($value !== null) {
                    $answer[strtolower($name)] = trim($value);
                }
                return strlen($line);
            },
        ]);
        if (is_resource($body)) {
            $lines[] = 'Transfer-Encoding: chunked';
            curl_setopt_array($curl, [
                CURLOPT_UPLOAD => true,
                CURLOPT_READFUNCTION => static fn ($_, $__, int $length): string => (string) fread($body, $length),
            ]);
        } elseif ($body !== null) {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
        } elseif ($method !== 'GET') {
            $lines[] = 'Content-Length: 0';
        }
        curl_setopt($curl, CURLOPT_HTTPHEADER, [...$lines, 'Expect:']);
        $text = curl_exec($curl);
        if ($text === false) {
            $number = curl_errno($curl);
            throw $number === CURLE_OPERATION_TIMEDOUT ? new TimedOut() : new Unreachable(curl_error($curl));
        }
        return ['status' => curl_getinfo($curl, CURLINFO_RESPONSE_CODE), 'headers' => $answer, 'body' => (string) $text];
    }

    /** A forked child does not share the parent's connection. */
    private function open(): \CurlHandle
    {
        if ($this->curl === null || $this->pid !== getmypid()) {
            $this->curl = curl_init();
            $this->pid = getmypid();
        }
        curl_reset($this->curl);
        return $this->curl;
    }
}
