<?php

declare(strict_types=1);

// For projects without Composer, and for the tests.
spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('Verdict\\'))) . '.php';
    if (str_starts_with($class, 'Verdict\\') && is_file($file)) {
        require $file;
    }
});
