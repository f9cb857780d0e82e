<?php

declare(strict_types=1);

namespace Verdict;

/** Standard Webhooks: HMAC-SHA-256 over `id.timestamp.body`. */
final class Webhook
{
    /**
     * True when the message is genuine and recent. Take `webhook-id` as seen once: deliveries can repeat. The body must be the bytes
     * that arrived, as file_get_contents('php://input') gives them.
     *
     * @param array<string, string> $headers
     */
    public static function verify(
        #[\SensitiveParameter] string $secret,
        array $headers,
        string $body,
        float $toleranceSeconds = 300,
        ?int $now = null,
    ): bool {
        $key = (string) base64_decode((string) preg_replace('/^whsec_/', '', $secret), true);
        if ($key === '') {
            throw new \InvalidArgumentException('The secret is not one of the form whsec_...');
        }
        $given = array_change_key_case($headers, CASE_LOWER);
        $id = $given['webhook-id'] ?? '';
        $timestamp = $given['webhook-timestamp'] ?? '';
        if ($id === '' || !preg_match('/^\d{1,12}$/D', $timestamp) || abs(($now ?? time()) - (int) $timestamp) > $toleranceSeconds) {
            return false;
        }
        $expected = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
        foreach (explode(' ', $given['webhook-signature'] ?? '') as $entry) {
            [$version, $signature] = explode(',', $entry, 2) + [1 => ''];
            if ($version === 'v1' && hash_equals($expected, (string) base64_decode($signature, true))) {
                return true;
            }
        }
        return false;
    }
}
