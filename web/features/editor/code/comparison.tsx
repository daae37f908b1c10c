import { goToNextChunk, goToPreviousChunk, MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { useWindowClass } from '../../../lib/media.ts'
import { textOf } from '../use-document.ts'
import styles from './code.module.css'
import colours from './colours.module.css'
import { isColourable, languageOf, loadLanguage } from './language.ts'
import { base } from './setup.ts'
import { shadowOf } from './shadow.ts'
import { differenceLook } from './theme.ts'

interface ComparisonProps {
  /** Name of the file; determines the language. */
  name: string
  /** The file's current text. */
  theirs: string
  /** The user's text. */
  mine: string
  /** What each of them is; by default the saved text and the user's. */
  titles?: Titles | undefined
}

interface Titles {
  theirs: string
  mine: string
}

/** Number of characters above which the diff is coarse. */
const FINE = 500
const MAX_TIME = 500
const OPTIONS = {
  collapseUnchanged: { margin: 3, minSize: 6 },
  diffConfig: { scanLimit: FINE, timeout: MAX_TIME },
}

/** A diff of two texts, side by side, or inline where there is no room. */
export function Comparison({ name, theirs, mine, titles }: ComparisonProps) {
  const host = useRef<HTMLDivElement>(null)
  const narrow = useWindowClass() === 'narrow'
  const theirTitle = titles?.theirs ?? t('editor.theirs')
  const myTitle = titles?.mine ?? t('editor.mine')
  useEffect(() => {
    if (!host.current) return
    const root = shadowOf(host.current)
    let shown: { destroy(): void } | undefined
    let gone = false
    void coloursOf(name, mine).then(colours => {
      if (!gone) shown = (narrow ? showUnified : showSideBySide)(root, { theirs, mine, theirTitle, myTitle }, colours)
    })
    return () => {
      gone = true
      shown?.destroy()
    }
  }, [name, theirs, mine, narrow, theirTitle, myTitle])
  return (
    <div className={styles.comparison} dir="ltr">
      {!narrow && (
        <div className={styles.sides} aria-hidden="true">
          <span>{theirTitle}</span>
          <span>{myTitle}</span>
        </div>
      )}
      <div key={String(narrow)} ref={host} className={`${styles.code} ${colours.code}`} />
    </div>
  )
}

async function coloursOf(name: string, text: string): Promise<Extension> {
  const language = languageOf(name)
  if (!language || !isColourable(textOf(text))) return []
  return loadLanguage(language).catch(() => [])
}

interface Both {
  theirs: string
  mine: string
  theirTitle: string
  myTitle: string
}

function showSideBySide(root: ShadowRoot, { theirs, mine, theirTitle, myTitle }: Both, colours: Extension) {
  const view = new MergeView({
    a: { doc: textOf(theirs), extensions: [readOnly(theirTitle), colours] },
    b: { doc: textOf(mine), extensions: [readOnly(myTitle), colours] },
    parent: root,
    root,
    ...OPTIONS,
  })
  view.dom.style.blockSize = '100%'
  return view
}

function showUnified(root: ShadowRoot, { theirs, mine, myTitle }: Both, colours: Extension) {
  const difference = unifiedMergeView({ original: textOf(theirs), mergeControls: false, ...OPTIONS })
  const extensions = [readOnly(myTitle), colours, difference]
  return new EditorView({ state: EditorState.create({ doc: textOf(mine), extensions }), parent: root, root })
}

function readOnly(label: string): Extension {
  return [
    base(),
    differenceLook,
    keymap.of([{ key: 'F7', run: goToNextChunk, shift: goToPreviousChunk }]),
    EditorState.readOnly.of(true),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', inputmode: 'none', tabindex: '0' }),
  ]
}
