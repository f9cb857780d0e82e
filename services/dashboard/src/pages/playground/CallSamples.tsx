import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { curlCall, pythonCall, type SampleCall, typescriptCall } from '../../ui/copy/code-samples.ts';
import { Section } from '../../ui/page/Section.tsx';
import { PLAYGROUND_TEXTS as TEXTS } from './texts.ts';

const LANGUAGES: Readonly<Record<string, (call: SampleCall) => string>> = {
  curl: curlCall,
  TypeScript: typescriptCall,
  Python: pythonCall,
};

export function CallSamples({ email, ip }: { email: string; ip: string }) {
  const [language, setLanguage] = useState('curl');
  const write = LANGUAGES[language] ?? curlCall;
  return (
    <Section
      title={TEXTS.call}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={TEXTS.call}
          value={language}
          onChange={setLanguage}
          data={Object.keys(LANGUAGES)}
        />
      }
    >
      <CodeBlock
        code={write({ key: 'YOUR_KEY', email, ...(ip ? { ip } : {}) })}
        label={`${TEXTS.call}: ${language}`}
        tall
      />
    </Section>
  );
}
