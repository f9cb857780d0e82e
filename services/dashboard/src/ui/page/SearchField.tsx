import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

const TYPING_MS = 250;

/** A field that searches while somebody types; the address of the page holds what it searches for. */
export function SearchField({
  label,
  sought,
  width,
  onSeek,
}: {
  label: string;
  sought: string;
  /** At most, in pixels. */
  width: number;
  onSeek: (text: string) => void;
}) {
  const [typed, setTyped] = useState(sought);
  useEffect(() => setTyped(sought), [sought]);
  const seek = useDebouncedCallback((text: string) => onSeek(text.trim()), TYPING_MS);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      style={{ flex: '1 1 220px', maxWidth: width }}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        seek(event.currentTarget.value);
      }}
    />
  );
}
