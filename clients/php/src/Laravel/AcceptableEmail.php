<?php

declare(strict_types=1);

namespace Verdict\Laravel;

use Illuminate\Contracts\Validation\ValidationRule;
use Verdict\Check;
use Verdict\Verdict;
use Verdict\VerdictError;

/**
 * A validation rule for Laravel: `'email' => ['required', 'email', new AcceptableEmail($verdict, $request->ip())]`. It fails for the
 * decisions in `refuse` with one neutral message, because a message with reasons would be an oracle.
 */
final class AcceptableEmail implements ValidationRule
{
    /** The verdict of the last value, for what `challenge` and `review` mean to you. */
    public ?Check $check = null;

    /** @param list<'allow'|'challenge'|'review'|'block'> $refuse */
    public function __construct(
        private readonly Verdict $verdict,
        private readonly ?string $ip = null,
        private readonly array $refuse = ['block'],
        private readonly string $message = 'Please use another address.',
    ) {
    }

    public function validate(string $attribute, mixed $value, \Closure $fail): void
    {
        try {
            $this->check = $this->verdict->check(is_string($value) ? $value : '', $this->ip);
        } catch (VerdictError $error) {
            if ($error->errorCode !== 'invalid_request') {
                throw $error;
            }
            $fail($this->message);
            return;
        }
        if (in_array($this->check->decision, $this->refuse, true)) {
            $fail($this->message);
        }
    }
}
