import { CUT_OFF, NOT_ALLOWED } from '../../../shared/api/commands.ts'
import type { FilePath } from '../../../shared/path.ts'
import { announce } from '../../lib/announce.ts'
import type { ApiError } from '../../lib/api.ts'
import { statusText } from '../../lib/error-text.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'
import { sessionStore } from '../../lib/session.ts'
import { createStore, useStore } from '../../lib/store.ts'
import { ansiReader } from './ansi.ts'
import { refusalOf, runCommand } from './api/command.ts'
import { addLines, type LogLine, MAX_LINES, type Run, type RunState, textOfLine, withoutLastLine } from './log.ts'

/** Milliseconds between two updates of the display, and of the announcements. */
const SHOW_EVERY = 100
const ANNOUNCE_INTERVAL = 1000
/** Number of lines announced one by one; of more only the number. */
const ANNOUNCED_LINES = 3
const MAX_HISTORY = 200

export interface Terminal {
  runs: readonly Run[]
  running: boolean
  /** The current input. */
  draft: string
  /** Command history, latest last. */
  history: readonly string[]
}

const EMPTY: Terminal = { runs: [], running: false, draft: '', history: [] }
const store = createStore(EMPTY)
let lastId = 0
let endRunning: () => void = () => undefined

export function useTerminal(): Terminal {
  return useStore(store)
}

function update(part: Partial<Terminal>): void {
  store.set({ ...store.get(), ...part })
}

export function setDraft(draft: string): void {
  update({ draft })
}

export function clearLog(): void {
  update({
    runs: store
      .get()
      .runs.filter(run => run.state === 'running')
      .map(run => ({ ...run, blocks: [] })),
  })
}

/** Runs a command in a folder; its output goes to the log. */
export function submit(folder: FilePath, command: string): void {
  lastId += 1
  const run: Run = { id: lastId, folder, command, state: 'running', note: '', blocks: [] }
  const { runs, history } = store.get()
  const past = history.at(-1) === command ? history : [...history, command].slice(-MAX_HISTORY)
  update({ runs: [...runs, run], running: true, draft: '', history: past })
  const output = bufferedOutput()
  const finish = (state: RunState, fault = '') => {
    output.end(fault !== '')
    endRunning = () => undefined
    const note = fault || noteOf(state)
    update({ runs: settle(store.get().runs, run.id, { state, note }), running: false })
    output.tell(note || t('terminal.finished'))
  }
  const close = runCommand(folder, command, {
    onLine: output.add,
    onEnd: (end, reason) => {
      finish(end, commandErrorText(reason))
      if (end === 'refused') void explain(run)
    },
  })
  endRunning = () => {
    close()
    finish('stopped')
  }
}

/** Ends the running command. */
export function stop(): void {
  endRunning()
}

function settle(runs: readonly Run[], id: number, part: Partial<Run>): readonly Run[] {
  return runs.map(run => (run.id === id ? { ...run, ...part } : run))
}

function noteOf(state: RunState): string {
  if (state === 'stopped') return t('terminal.stopped')
  if (state === 'lost') return t('terminal.lost')
  return state === 'refused' ? t('terminal.refused') : ''
}

/** Restores the input of a refused command, with the reason. */
async function explain({ id, folder, command }: Run): Promise<void> {
  if (store.get().draft === '') setDraft(command)
  const reason = await refusalOf(folder)
  if (!reason) return
  const note = refusalText(reason)
  update({ runs: settle(store.get().runs, id, { note }) })
  announce(note)
}

function refusalText({ status }: ApiError): string {
  if (status === 429 || status === 503) return t('terminal.busy')
  return status === 404 ? t('terminal.off') : statusText(status)
}

/** Buffers lines: renders them in batches, and announces them at most once a second. */
function bufferedOutput() {
  const read = ansiReader()
  const announcer = outputAnnouncer()
  let waiting: LogLine[] = []
  let count = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = () => {
    clearTimeout(timer)
    timer = undefined
    update({ runs: addLines(store.get().runs, waiting.slice(-MAX_LINES)) })
    announcer.add(waiting)
    waiting = []
  }
  return {
    add(line: string) {
      count += 1
      waiting.push({ id: count, pieces: read(line) })
      timer ??= setTimeout(show, SHOW_EVERY)
    },
    /**
     * @param withoutLast drops the last line, in favour of a note
     */
    end(withoutLast: boolean) {
      const unseen = withoutLast && waiting.pop() !== undefined
      show()
      if (withoutLast && !unseen) update({ runs: withoutLastLine(store.get().runs) })
    },
    tell: announcer.end,
  }
}

function outputAnnouncer() {
  let count = 0
  let last: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const text = () => (count <= ANNOUNCED_LINES ? last.join('\n') : t('terminal.lines', { count }))
  const announceLines = () => {
    timer = undefined
    announce(text())
    count = 0
    last = []
  }
  return {
    add(lines: readonly LogLine[]) {
      count += lines.length
      last = [...last, ...lines.slice(0, ANNOUNCED_LINES).map(textOfLine)].slice(0, ANNOUNCED_LINES)
      if (lines.length > 0) timer ??= setTimeout(announceLines, ANNOUNCE_INTERVAL)
    },
    end(note: string) {
      clearTimeout(timer)
      announce([text(), note].filter(Boolean).join('\n'))
    },
  }
}

let owner = sessionStore.get().user?.id

/** One user's commands must not be shown to the next. */
sessionStore.subscribe(() => {
  const now = sessionStore.get().user?.id
  if (now === owner) return
  owner = now
  stop()
  store.set(EMPTY)
})

type CommandErrorKey = MessageKey &
  ('errors.forbidden' | 'errors.unsupported' | 'terminal.notAllowed' | 'terminal.notFound' | 'terminal.cutOff')

const COMMAND_ERRORS: ReadonlyMap<string, CommandErrorKey> = new Map([
  [NOT_ALLOWED, 'terminal.notAllowed'],
  [CUT_OFF, 'terminal.cutOff'],
  ['not_found', 'terminal.notFound'],
  ['not_a_folder', 'terminal.notFound'],
  ['forbidden', 'errors.forbidden'],
  ['outside_scope', 'errors.forbidden'],
  ['unsupported', 'errors.unsupported'],
])

/**
 * The server's own last message about a command, localized; `''` when the last line is the command's. Syntax errors
 * stay in the words of shells.
 * @param reason of the WebSocket's close frame (`shared/api/commands.ts`)
 */
function commandErrorText(reason: string): string {
  const key = COMMAND_ERRORS.get(reason)
  return key === undefined ? '' : t(key)
}
