import type { FastifyBaseLogger } from 'fastify'
import type { WebSocket } from 'ws'
import { COMMAND_NOT_ALLOWED, CUT_OFF, NOT_ALLOWED } from '../../../shared/api/commands.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { Audit } from '../../audit/audit.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { SandboxFolder } from '../../files/types.ts'
import { LIMITS } from '../../limits.ts'
import type { Caller } from '../../routing/route.ts'
import { SANDBOX_LIMITS } from '../../sandbox/bubblewrap.ts'
import { bareEnvironment, type Environment } from '../../sandbox/environment.ts'
import type { Cut, ProgramEnd, ProgramRunner, ProgramStream } from '../../sandbox/run-program.ts'
import { splitWords } from '../../sandbox/shell-split.ts'
import { type AuthorizationDeps, allowedUser, watchAuthorization } from './authorization.ts'
import { firstMessage, keepAlive, sendAll, VIOLATION } from './command-socket.ts'
import { Lines } from './lines.ts'

/** The time limit of a command, in milliseconds. */
const MAX_TIME = LIMITS.commandTime
/** The output limit of a command, in bytes. */
const MAX_OUTPUT = LIMITS.commandOutput
const OVER = 1000

export interface CommandDeps extends AuthorizationDeps {
  config: { environment: Environment }
  files: FilesService
  programs: ProgramRunner
  audit: Audit
}

/** The caller of a command, and the folder it runs in. */
export interface CommandRequest {
  caller: Caller
  folder: FilePath
  /** The client's address. */
  address: string
  log: FastifyBaseLogger
}

/** Reads one command from a WebSocket, runs it, sends its output, and closes (http-api 13). */
export async function serveCommand(deps: CommandDeps, socket: WebSocket, request: CommandRequest): Promise<void> {
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  // The library answers protocol errors and closes the connection.
  socket.on('error', () => {})
  const endPulse = keepAlive(socket)
  try {
    const line = await firstMessage(socket)
    if (line === undefined) return
    const { words, reason } = await runLine(deps, socket, request, { line, gone: gone.signal })
    await sendAll(socket, words)
    socket.close(OVER, reason)
  } catch (error) {
    if (!gone.signal.aborted) request.log.error({ err: error }, 'command aborted')
    socket.terminate()
  } finally {
    endPulse()
  }
}

interface ClosingLines {
  /** The remaining lines: the rest of the output, or why the command did not run or was ended. */
  words: string[]
  /** The same as a code (`shared/api/commands.ts`). */
  reason?: string
}

async function runLine(
  deps: CommandDeps,
  socket: WebSocket,
  request: CommandRequest,
  { line, gone }: { line: string; gone: AbortSignal },
): Promise<ClosingLines> {
  try {
    const words = wordsOf(line)
    const [program = ''] = words
    const user = await allowedUser(deps, request.caller, program)
    await record(deps, request, program, user !== undefined)
    if (!user) return { words: [COMMAND_NOT_ALLOWED], reason: NOT_ALLOWED }
    const own = await deps.files.for(user)
    const place = await own.sandboxFolder(request.folder)
    return closingLines(await runWords(deps, socket, request, { words, place, gone }))
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const { code, message } = thrown
    return { words: [message === code ? (EXPLAINED[code] ?? UNEXPLAINED) : message], reason: code }
  }
}

/** Writes to the audit log before the program runs, by its name alone: its arguments may hold secrets. */
async function record(
  { audit, files }: CommandDeps,
  { caller, folder, address }: CommandRequest,
  program: string,
  allowed: boolean,
) {
  const { user, way } = caller
  const path = await files.placeOf(user, folder)
  const outcome = allowed ? 'done' : 'forbidden'
  return audit.record({ action: 'command', outcome, way, address, who: user, path, target: program })
}

/** @throws AppError `bad_request` with the texts of http-api 13 */
function wordsOf(line: string): string[] {
  let words: string[]
  try {
    words = splitWords(line)
  } catch (error) {
    throw new AppError('bad_request', `error parsing command: ${error instanceof Error ? error.message : error}`)
  }
  if (!words[0]) throw new AppError('bad_request', `no command contained in '${line}'`)
  return words
}

const UNEXPLAINED = 'The command could not be run.'
/** Why a command cannot run in its folder. */
const EXPLAINED: Partial<Record<ErrorCode, string>> = {
  not_found: 'There is no such folder.',
  not_a_folder: 'Commands run in folders, and this is a file.',
  forbidden: 'You may not run commands in this folder.',
  outside_scope: 'You may not run commands in this folder.',
  unsupported: 'Commands cannot run on the storage of this folder.',
}

interface Ready {
  words: readonly string[]
  place: SandboxFolder
  gone: AbortSignal
}

async function runWords(deps: CommandDeps, socket: WebSocket, request: CommandRequest, { words, place, gone }: Ready) {
  const { caller, folder, log } = request
  const [program = ''] = words
  const cut = new AbortController()
  const endWatch = watchAuthorization(deps, caller, program, () => {
    socket.close(VIOLATION)
    cut.abort()
  })
  const lines: Record<ProgramStream, Lines> = { stdout: new Lines(), stderr: new Lines() }
  const began = Date.now()
  try {
    const end = await deps.programs.run(words, {
      ...place,
      env: bareEnvironment(deps.config.environment),
      time: MAX_TIME,
      output: MAX_OUTPUT,
      signal: AbortSignal.any([gone, cut.signal]),
      onOutput: (stream, bytes) => sendAll(socket, lines[stream].push(bytes)),
    })
    const milliseconds = Date.now() - began
    log.info({ user: caller.user.username, folder, program, ...end, milliseconds }, 'command ran')
    return { ...end, rest: [...lines.stdout.end(), ...lines.stderr.end()] }
  } finally {
    endWatch()
  }
}

const mebibytes = (bytes: number) => `${bytes / 1024 ** 2} MiB`
/** The limit of a command that was ended for exceeding it. */
const LIMIT_OF: Readonly<Record<Exclude<Cut, 'stopped'>, string>> = {
  time: `take ${MAX_TIME / 60_000} minutes`,
  output: `write ${mebibytes(MAX_OUTPUT)}`,
  memory: `use ${mebibytes(SANDBOX_LIMITS.memory)} of memory`,
  tasks: `start ${SANDBOX_LIMITS.tasks} processes`,
}

function closingLines({ cut, rest }: ProgramEnd & { rest: string[] }): ClosingLines {
  if (cut === undefined || cut === 'stopped') return { words: rest }
  return { words: [...rest, `Ended: a command may ${LIMIT_OF[cut]}.`], reason: CUT_OFF }
}
