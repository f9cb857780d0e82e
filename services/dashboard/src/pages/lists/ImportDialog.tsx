import { Button, FileButton, Modal, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { importEntries, LISTS, type ListName } from '../../api/lists.ts';
import dialog from '../../ui/Dialog.module.css';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { ImportReportView } from './ImportReportView.tsx';
import { importRows } from './parse-csv.ts';
import { IMPORT_TEXTS as TEXTS } from './texts.ts';

export function ImportDialog({ list, onClose }: { list: ListName; onClose: () => void }) {
  const [text, setText] = useState('');
  const rows = useMemo(() => importRows(text), [text]);
  const client = useQueryClient();
  const importing = useMutation({
    mutationFn: () => importEntries(list, rows),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: LISTS }),
        client.invalidateQueries({ queryKey: ['overview'] }),
      ]),
  });
  const read = (file: File | null | undefined) => {
    if (file) void file.text().then(setText);
  };

  if (importing.data) {
    return (
      <Modal opened onClose={onClose} title={TEXTS.title(list)} size={620}>
        <div className={dialog.form}>
          <ImportReportView report={importing.data} />
          <div className={dialog.actions}>
            <Button onClick={onClose}>{TEXTS.close}</Button>
          </div>
        </div>
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onClose} title={TEXTS.title(list)} size={620}>
      <form
        className={dialog.form}
        onSubmit={(event) => {
          event.preventDefault();
          importing.mutate();
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          read(event.dataTransfer.files[0]);
        }}
      >
        <p>{TEXTS.text}</p>
        <Textarea
          label={TEXTS.label}
          placeholder={TEXTS.placeholder}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          rows={8}
          spellCheck={false}
          data-autofocus
        />
        <div className={dialog.file}>
          <FileButton onChange={read} accept=".csv,.txt,text/csv,text/plain">
            {(props) => (
              <Button {...props} variant="default" size="xs">
                {TEXTS.file}
              </Button>
            )}
          </FileButton>
          <span>{TEXTS.drop}</span>
          <span role="status">{rows.length > 0 && TEXTS.rows(plural(rows.length, 'row'))}</span>
        </div>
        {importing.error && <ErrorNotice error={importing.error} />}
        <div className={dialog.actions}>
          <Button variant="default" onClick={onClose}>
            {TEXTS.cancel}
          </Button>
          <Button type="submit" disabled={rows.length === 0} loading={importing.isPending}>
            {TEXTS.submit} {rows.length > 0 && formatCount(rows.length)}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
