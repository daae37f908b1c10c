import { useRef, useState } from 'react'
import { type Action, allActions, keysOfAction } from '../lib/actions.ts'
import { type MessageKey, t } from '../lib/i18n/index.ts'
import { showKeys } from '../lib/keyboard.ts'
import { closePrompt } from '../lib/prompts.ts'
import { Dialog } from '../ui/dialog.tsx'
import styles from './help.module.css'
import { AMONG_FILES, ANYWHERE, DIALOGS, type KeyRow, MOUSE, PREVIEW, SHELL } from './help-keys.ts'
import { VIEWER_ACTIONS } from './viewer-actions.ts'

/** Every key: those of actions from the list of actions, and those of parts of the page. */
export default function HelpPrompt() {
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog title={t('nav.helpTitle')} onClose={closePrompt} initialFocus={field} wide>
      <input
        ref={field}
        className={styles.field}
        type="search"
        aria-label={t('keys.find')}
        placeholder={t('keys.find')}
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
      <div className={styles.sections}>
        {sections().map(({ title, rows }) => (
          <Section key={title} title={title} rows={rows.filter(row => fits(row, typed))} />
        ))}
      </div>
    </Dialog>
  )
}

interface HelpSection {
  title: MessageKey & `keys.${string}`
  rows: readonly KeyRow[]
}

function sections(): HelpSection[] {
  return [
    { title: 'keys.anywhere', rows: [...ofActions('global'), ...ANYWHERE] },
    { title: 'keys.mouse', rows: MOUSE },
    { title: 'keys.folder', rows: ofActions('listing') },
    { title: 'keys.files', rows: AMONG_FILES },
    { title: 'keys.dialogs', rows: DIALOGS },
    { title: 'keys.preview', rows: [...PREVIEW, ...ofActions('preview')] },
    { title: 'keys.editor', rows: ofActions('editor') },
    { title: 'keys.shell', rows: SHELL },
  ]
}

/** Whether the description or the keys of a row match the filter. */
function fits({ label, keys }: KeyRow, typed: string): boolean {
  const wanted = typed.trim().toLocaleLowerCase()
  return [t(label), ...keys.map(shown)].some(text => text.toLocaleLowerCase().includes(wanted))
}

/** The keys of actions; a key shared by several actions, each in its scope, is listed once with all their names. */
function ofActions(scope: NonNullable<Action['scope']>): KeyRow[] {
  return [...allActions(), ...VIEWER_ACTIONS].flatMap(action => {
    const keys = keysOfAction(action)
    return keys.length > 0 && (action.scope ?? 'listing') === scope ? [{ keys, label: action.labelKey }] : []
  })
}

function Section({ title, rows }: HelpSection) {
  if (rows.length === 0) return null
  return (
    <section className={styles.section}>
      <h3 className={styles.title}>{t(title)}</h3>
      <dl>
        {rows.map(row => (
          <div key={`${row.label} ${row.keys.join()}`} className={styles.row}>
            <dt>{t(row.label)}</dt>
            <dd className={styles.combinations}>
              {row.keys.map(keys => (
                <kbd key={keys} className={styles.key}>
                  {shown(keys)}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const WORDS: Record<string, MessageKey & `keys.${string}`> = {
  Click: 'keys.click',
  DoubleClick: 'keys.doubleClick',
  Letters: 'keys.letters',
  ContextMenu: 'keys.menuKey',
}

/** A combination in the platform's notation, with words where there is no key. */
function shown(keys: string): string {
  const parts = keys.split('+')
  const word = WORDS[parts.at(-1) ?? '']
  return showKeys(word && keys !== '+' ? [...parts.slice(0, -1), t(word)].join('+') : keys)
}
