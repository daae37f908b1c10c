import { memo, useLayoutEffect, useRef } from 'react'
import { shownName } from '../../../shared/bytes.ts'
import { copyText } from '../../lib/clipboard.ts'
import { pageConfig } from '../../lib/config.ts'
import { t, useLocale } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { sandboxText } from '../../lib/sandbox-text.ts'
import { useSession } from '../../lib/session.ts'
import { IconButton } from '../../ui/button.tsx'
import { Copy } from '../../ui/icons.ts'
import type { AnsiPiece, AnsiStyle } from './ansi.ts'
import { type LogBlock, outputOf, type Run } from './log.ts'
import styles from './log-view.module.css'
import { useTerminal } from './runtime.ts'

/** CSS pixels from the end within which the log follows new output. */
const AT_END = 40
/** Focusable, so that the keyboard can scroll it. */
const SCROLLABLE = { tabIndex: 0 }

/**
 * The commands and their output. It is a log, but not a live region: announcements are throttled and limited
 * (`runtime.ts`).
 */
export function LogView() {
  const { runs } = useTerminal()
  const box = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  useLayoutEffect(() => {
    const element = box.current
    if (element && follows.current && runs.length > 0) element.scrollTop = element.scrollHeight
  }, [runs])
  const onScroll = () => {
    const element = box.current
    if (element) follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END
  }
  return (
    <div
      ref={box}
      className={styles.log}
      role="log"
      aria-live="off"
      aria-label={t('terminal.output')}
      {...SCROLLABLE}
      onScroll={onScroll}
    >
      {runs.length === 0 ? <Welcome /> : runs.map(run => <RunView key={run.id} run={run} />)}
    </div>
  )
}

function Welcome() {
  const { user } = useSession()
  const commands = user?.commands ?? []
  return (
    <div className={styles.welcome}>
      <p>{t('terminal.welcome')}</p>
      <p>{sandboxText()}</p>
      {pageConfig.ExecSandbox !== 'missing' && (
        <p>
          {commands.length === 0 ? t('terminal.noCommands') : t('terminal.allowed')} <bdi>{commands.join(' ')}</bdi>
        </p>
      )}
    </div>
  )
}

const RunView = memo(function RunView({ run }: { run: Run }) {
  useLocale()
  const { folder, command, state, note, blocks } = run
  const copy = async () => {
    const done = await copyText(outputOf(run))
    notify(done ? 'success' : 'error', t(done ? 'terminal.copied' : 'terminal.notCopied'))
  }
  return (
    <div className={styles.run} data-state={state}>
      <div className={styles.head}>
        <p className={styles.command} dir="ltr">
          <span className={styles.folder}>{shownName(folder)}</span> {command}
        </p>
        {blocks.length > 0 && (
          <IconButton label={t('terminal.copy', { command })} className={styles.copy} onClick={() => void copy()}>
            <Copy size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      {blocks.map(block => (
        <BlockView key={block.id} block={block} />
      ))}
      {note && <p className={styles.note}>{note}</p>}
    </div>
  )
})

const BlockView = memo(function BlockView({ block: { lines } }: { block: LogBlock }) {
  return (
    <div className={styles.block} dir="ltr">
      {lines.map(({ id, pieces }) => (
        <div key={id} className={styles.line}>
          {pieces.map(piece => (
            <PieceView key={piece.start} piece={piece} />
          ))}
        </div>
      ))}
    </div>
  )
})

function PieceView({ piece: { text, style } }: { piece: AnsiPiece }) {
  const classes = classesOf(style)
  return classes === '' ? text : <span className={classes}>{text}</span>
}

const FLAGS = ['bold', 'dim', 'italic', 'underline', 'inverse', 'strike'] as const

function classesOf(style: AnsiStyle): string {
  const { color, ground } = style
  return [
    ...FLAGS.map(flag => style[flag] && styles[flag]),
    color !== undefined && styles[`color${color}`],
    ground !== undefined && styles[`ground${ground}`],
  ]
    .filter(Boolean)
    .join(' ')
}
