import { SegmentedControl } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CodeBlock } from './CodeBlock.tsx';
import { CALL_SAMPLES, curlCall, type SampleCall } from './code-samples.ts';

/** One check in every language that has a client. */
export function CallTabs({ call, label }: { call: SampleCall; label: string }) {
  const [language, setLanguage] = useState('curl');
  const write = CALL_SAMPLES[language] ?? curlCall;
  return (
    <>
      <SegmentedControl
        size="xs"
        mb={8}
        aria-label={label}
        value={language}
        onChange={setLanguage}
        data={Object.keys(CALL_SAMPLES)}
      />
      <CodeBlock code={write(call)} label={`${label}: ${language}`} tall />
      {language !== 'curl' && (
        <p>
          Install the client first:{' '}
          <Link to="/docs/$guide" params={{ guide: language.toLowerCase() }}>
            {language} client
          </Link>
        </p>
      )}
    </>
  );
}
