import { type DragEvent, type FormEvent, useRef, useState } from 'react'
import type { FileRequest } from '../../../../shared/api/shares.ts'
import { MAX_LINK_NOTE, MAX_SENDER } from '../../../../shared/limits.ts'
import { announce } from '../../../lib/announce.ts'
import { formatBytes } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useOnline } from '../../../lib/online.ts'
import { senderPreference } from '../../../lib/sender.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import inputs from '../../../ui/field.module.css'
import { Field, TextField } from '../../../ui/field.tsx'
import { Upload, X } from '../../../ui/icons.ts'
import { FileName } from '../../files/listing/cells.tsx'
import { chooseFiles } from '../choose.ts'
import { carriesFiles, takeDrop } from '../drop.ts'
import { walkDrop } from '../walk.ts'
import { type Deliveries, jobOf } from './deliveries.ts'
import styles from './request.module.css'

interface RequestFormProps {
  deliveries: Deliveries
  request: FileRequest
}

/** A file to be sent; the same one may be chosen twice. */
interface ChosenFile {
  id: number
  file: File
}

let lastId = 0

function asChosen(file: File): ChosenFile {
  lastId += 1
  return { id: lastId, file }
}

/** Who sends, and what: files are chosen first, and sent on confirmation. */
export function RequestForm({ deliveries, request }: RequestFormProps) {
  const { visitor, queue } = deliveries
  const [chosen, setChosen] = useState<readonly ChosenFile[]>([])
  const [sender, setSender] = useState(senderPreference.store.get())
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState('')
  const name = useRef<HTMLInputElement>(null)
  const online = useOnline()
  const isNamed = request.sender !== 'no'

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen.length === 0) return
    if (request.sender === 'required' && sender.trim() === '') {
      setProblem(t('links.nameMissing'))
      name.current?.focus()
      return
    }
    if (isNamed) senderPreference.choose(sender.trim())
    Object.assign(visitor, isNamed ? { sender: sender.trim(), note: note.trim() } : { sender: '', note: '' })
    announce(t('uploads.announceStart', { count: chosen.length }))
    queue.add(chosen.map(({ file }) => jobOf(file, request)))
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <DropArea onFiles={files => setChosen(before => [...before, ...files.map(asChosen)])} />
      {chosen.length > 0 && (
        <ChosenFiles files={chosen} onRemove={gone => setChosen(chosen.filter(({ id }) => id !== gone))} />
      )}
      {isNamed && (
        <>
          <TextField
            ref={name}
            label={t('links.yourName')}
            hint={request.sender === 'optional' ? t('links.optional') : undefined}
            value={sender}
            error={problem || undefined}
            maxLength={MAX_SENDER}
            autoComplete="name"
            required={request.sender === 'required'}
            onChange={event => {
              setSender(event.target.value)
              setProblem('')
            }}
          />
          <Field label={t('links.yourNote')} hint={t('links.optional')}>
            {({ id, describedBy }) => (
              <textarea
                id={id}
                className={`${inputs.input} ${styles.message}`}
                aria-describedby={describedBy}
                rows={2}
                dir="auto"
                maxLength={MAX_LINK_NOTE}
                value={note}
                onChange={event => setNote(event.target.value)}
              />
            )}
          </Field>
        </>
      )}
      <Button type="submit" kind="primary" className={styles.send} disabled={chosen.length === 0 || !online}>
        {chosen.length === 0 ? t('links.sendNothing') : t('links.send', { count: chosen.length })}
      </Button>
      <p className={styles.hint}>{online ? t('links.private') : t('errors.offline')}</p>
    </form>
  )
}

/** Takes dropped files, or opens the file chooser. */
function DropArea({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const [over, setOver] = useState(false)
  const [folders, setFolders] = useState(false)
  const take = async (event: DragEvent) => {
    if (!carriesFiles(event.dataTransfer)) return
    event.preventDefault()
    setOver(false)
    const dropped = takeDrop(event.dataTransfer)
    const entries = dropped.entries.filter(entry => entry.isFile)
    setFolders(entries.length < dropped.entries.length)
    const { items } = await walkDrop({ ...dropped, entries })
    onFiles(items.flatMap(({ file }) => file ?? []))
  }
  return (
    <fieldset
      className={styles.area}
      aria-label={t('uploads.chooseFiles')}
      data-over={over || undefined}
      onDragOver={event => {
        if (!carriesFiles(event.dataTransfer)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => void take(event)}
    >
      <Upload size={32} aria-hidden />
      <Button
        onClick={() => {
          setFolders(false)
          void chooseFiles('files').then(onFiles)
        }}
      >
        {t('uploads.continue')}
      </Button>
      <p className={styles.orDrop}>{t('links.orDrop')}</p>
      <p className={styles.problem} role="alert">
        {folders && t('links.noFolders')}
      </p>
    </fieldset>
  )
}

function ChosenFiles({ files, onRemove }: { files: readonly ChosenFile[]; onRemove: (id: number) => void }) {
  return (
    <ul className={styles.files}>
      {files.map(({ id, file }) => (
        <li key={id} className={styles.file}>
          <FileName name={file.name} />
          <span className={styles.size}>{formatBytes(file.size)}</span>
          <IconButton label={t('links.remove', { name: file.name })} onClick={() => onRemove(id)}>
            <X size={16} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
