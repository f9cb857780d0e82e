<?php

declare(strict_types=1);

namespace Illuminate\Contracts\Validation {
    // Laravel's contract as of 10.x, 11.x and 12.x.
    interface ValidationRule
    {
        public function validate(string $attribute, mixed $value, \Closure $fail): void;
    }
}

namespace {
    require __DIR__ . '/../autoload.php';

    use Verdict\Laravel\AcceptableEmail;
    use Verdict\Verdict;

    $router = tempnam(sys_get_temp_dir(), 'verdict') . '.php';
    file_put_contents($router, <<<'PHP'
        <?php
        $email = json_decode(file_get_contents('php://input'), true)['email'];
        header('Content-Type: application/json');
        if (!str_contains($email, '@')) {
            http_response_code(400);
            exit('{"error": "email: has no @", "code": "invalid_request"}');
        }
        echo json_encode(['success' => true, 'decision' => strtok($email, '@')]);
        PHP);
    $free = stream_socket_server('tcp://127.0.0.1:0');
    $address = stream_socket_get_name($free, false);
    fclose($free);
    $server = proc_open([PHP_BINARY, '-S', $address, $router], [1 => ['file', '/dev/null', 'w'], 2 => ['file', '/dev/null', 'w']], $pipes);
    for ($i = 0; $i < 2_400 && !@stream_socket_client("tcp://$address", timeout: 1); $i++) {
        usleep(50_000);
    }

    $say = static function (string $name, string $email, string $origin): void {
        $verdict = new Verdict('k', $origin, timeout: 60, deadline: 120, retries: 0, fallback: 'allow');
        $message = 'passes';
        (new AcceptableEmail($verdict))->validate('email', $email, static function (string $text) use (&$message): void {
            $message = $text;
        });
        echo "$name: $message\n";
    };
    $say('allow', 'allow@b.example', "http://$address/");
    $say('block', 'block@b.example', "http://$address/");
    $say('malformed', 'nonsense', "http://$address/");
    proc_terminate($server);
    proc_close($server);
    unlink($router);
    $say('nobody answers', 'block@b.example', "http://$address/");
}
