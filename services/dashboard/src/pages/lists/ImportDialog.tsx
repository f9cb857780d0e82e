import { Button, FileButton, Modal, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { importEntries, LISTS, type ListName } from '../../api/lists.ts';
import dialog from '../../ui/dialog/Dialog.module.css';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { ImportReportView } from './ImportReportView.tsx';
import { IMPORT_TEXTS as TEXTS } from './texts.ts';

/** Sends pasted lines or a file to the server, then shows which rows it refused. */
export function ImportDialog({ list, onClose }: { list: ListName; onClose: () => void }) {
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const client = useQueryClient();
  const importing = useMutation({
    mutationFn: () => importEntries(list, file ?? new Blob([text])),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: LISTS }),
        client.invalidateQueries({ queryKey: ['overview'] }),
      ]),
  });
  if (importing.data) {
    return (
      <Modal opened onClose={onClose} title={TEXTS.title(list)} size={620}>
        <div className={dialog.form}>
          <ImportReportView report={importing.data} />
          <div className={dialog.actions}>
            <Button onClick={onClose} data-autofocus>
              {TEXTS.close}
            </Button>
          </div>
        </div>
      </Modal>
    );
  }
  return (
    <FormDialog
      title={TEXTS.title(list)}
      size={620}
      submit={TEXTS.submit}
      ready={file !== null || text.trim() !== ''}
      acting={importing}
      onSubmit={() => importing.mutate()}
      onDrop={setFile}
      onClose={onClose}
    >
      <p>{TEXTS.text}</p>
      <Textarea
        label={TEXTS.label}
        placeholder={TEXTS.placeholder}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setFile(null);
        }}
        rows={8}
        spellCheck={false}
        data-autofocus
      />
      <div className={dialog.file}>
        <FileButton onChange={setFile} accept=".csv,.txt,text/csv,text/plain">
          {(props) => (
            <Button {...props} variant="default" size="xs">
              {TEXTS.file}
            </Button>
          )}
        </FileButton>
        <span role="status">{file ? TEXTS.chosen(file.name) : TEXTS.drop}</span>
      </div>
    </FormDialog>
  );
}
