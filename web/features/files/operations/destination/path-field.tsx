import { type RefObject, useEffect, useEffectEvent, useId } from 'react'
import { type FilePath, ROOT, trustedChild } from '../../../../../shared/path.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { useQuery } from '../../../../lib/query.ts'
import { TextField } from '../../../../ui/field.tsx'
import { folderQuery } from '../../api/list.ts'
import { foldersIn } from '../../tree/tree-nodes.ts'
import { findFolder, folderTyped, type TypedFolder } from './typed-path.ts'

interface PathFieldProps {
  /** The selected folder. */
  value: FilePath
  /** What is being typed instead; `undefined` while the field shows the selected folder. */
  typed: string | undefined
  onTyped: (text: string) => void
  /** A folder that exists was typed. */
  onFound: (path: FilePath) => void
  /** Why the text is no folder to select; `undefined` if it is one. */
  onProblem: (problem: string | undefined) => void
  /** The row of the selected folder, to which Enter leads. */
  currentLine: RefObject<HTMLDivElement | null>
  hintId: string
}

/** A path to type or paste, which completes with the folders that exist. */
export function PathField({ value, typed, onTyped, onFound, onProblem, currentLine, hintId }: PathFieldProps) {
  const list = useId()
  const text = typed ?? (value === ROOT ? ROOT : `${value}/`)
  const where = folderTyped(text)
  const parent = where?.parent ?? ROOT
  const { data, error } = useQuery({ ...folderQuery(parent), enabled: typed !== undefined })
  const found = typed === undefined ? { folder: value } : findFolder(text, data, error !== null)
  const problem = problemOf(found, text)
  const path = typeof found === 'string' ? undefined : found.folder
  useEffect(() => {
    onProblem(problem)
    return () => onProblem(undefined)
  }, [problem, onProblem])
  const select = useEffectEvent(onFound)
  useEffect(() => {
    if (typed !== undefined && path !== undefined) select(path)
  }, [path, typed])
  const folders = typed !== undefined && where && data ? foldersIn(data) : []
  return (
    <>
      <TextField
        label={t('picker.path')}
        value={text}
        list={list}
        dir="auto"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-invalid={(problem !== undefined && found !== 'loading') || undefined}
        aria-errormessage={problem === undefined ? undefined : hintId}
        onChange={event => onTyped(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          // A form around it would be sent.
          event.preventDefault()
          if (path !== undefined) currentLine.current?.focus()
        }}
      />
      <datalist id={list}>
        {folders.slice(0, MOST).map(folder => (
          <option key={folder.name} value={`${trustedChild(parent, folder.name)}/`} />
        ))}
      </datalist>
    </>
  )
}

/** Folders offered for completion. */
const MOST = 1000

function problemOf(found: TypedFolder, path: string): string | undefined {
  if (found === 'loading') return t('common.loading')
  if (found === 'missing') return t('picker.noFolder', { path })
  return found === 'file' ? t('picker.isFile', { path }) : undefined
}
