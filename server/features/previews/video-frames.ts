import { MAX_IMAGE_BYTES } from '../../../shared/limits.ts'
import { AppError } from '../../errors.ts'
import type { OpenFile } from '../../files/types.ts'
import { Semaphore } from '../../lib/limit.ts'
import { bareEnvironment, type Environment } from '../../sandbox/environment.ts'
import type { ProgramEnd, Programs } from '../../sandbox/run-program.ts'
import { MAX_WAITING, RENDER_MEMORY, RENDER_TIME } from './limits.ts'

export interface FramesDeps {
  programs: Programs
  /** What the server itself finds in its environment. */
  environment: Environment
  /** Whether the store's files can be handed to a program. */
  handsOver: boolean
  /** Films that are looked at at once. */
  atOnce: number
  maxPixels: number
}

/** Seconds into a film at which it has usually begun. */
const BEGUN = 3
/** Longest side of a still, in pixels; previews are made of it. */
const STILL_SIDE = 1920
/** Containers that hold their film themselves: a list of other files, or of addresses, is not looked at. */
const CONTAINERS = 'mov,matroska,avi,mpegts,mpeg,ogg,flv,asf'

/**
 * Still pictures of films, by ffmpeg where the host has it. It is handed the opened file and no name, may open nothing
 * else that a film asks for, and is ended when it takes too long.
 */
export class Frames {
  readonly #deps: FramesDeps
  readonly #semaphore: Semaphore
  #installed: Promise<readonly string[] | undefined> | undefined

  constructor(deps: FramesDeps) {
    this.#deps = deps
    this.#semaphore = new Semaphore(deps.atOnce, { maxWaiting: MAX_WAITING })
  }

  /** Whether there is a program for it, and files it can be handed. */
  async areThere(): Promise<boolean> {
    return this.#deps.handsOver && (await this.#command()) !== undefined
  }

  /**
   * A frame as JPEG; `undefined` of a film that nobody understands, or that costs too much.
   * @param signal gives up waiting
   * @throws AppError `unsupported` where films cannot be looked at, `unavailable` when too many wait
   */
  async take({ descriptor }: OpenFile, signal: AbortSignal): Promise<Buffer | undefined> {
    const command = await this.#command()
    if (!command || descriptor === undefined) throw new AppError('unsupported')
    return this.#semaphore.run(async () => {
      // A film that is shorter has nothing there.
      for (const seconds of [BEGUN, 0]) {
        const { code, output } = await this.#run([...command, ...this.#wish(seconds)], descriptor)
        if (code === 0 && output.length > 0) return output
      }
      return undefined
    }, signal)
  }

  #wish(seconds: number): string[] {
    const side = (name: string) => `'min(${STILL_SIDE},${name})'`
    const scale = `scale=w=${side('iw')}:h=${side('ih')}:force_original_aspect_ratio=decrease`
    return [
      ...['-nostdin', '-loglevel', 'error', '-max_alloc', String(RENDER_MEMORY)],
      ...['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS],
      ...['-threads', '1', '-max_pixels', String(this.#deps.maxPixels)],
      ...['-ss', String(seconds), '-i', 'file:/dev/fd/3', '-map', '0:v:0', '-frames:v', '1', '-vf', scale],
      ...['-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2pipe', 'pipe:1'],
    ]
  }

  /** How ffmpeg is called: with as little memory as a decoder may have, where the system can see to that. */
  #command(): Promise<readonly string[] | undefined> {
    this.#installed ??= this.#find()
    return this.#installed
  }

  async #find(): Promise<readonly string[] | undefined> {
    const works = async (argv: readonly string[]) => (await this.#run(argv).catch(() => undefined))?.code === 0
    if (!(await works(['ffmpeg', '-version']))) return undefined
    const limited = ['prlimit', `--data=${RENDER_MEMORY}`, 'ffmpeg']
    return (await works([...limited, '-version'])) ? limited : ['ffmpeg']
  }

  async #run(argv: readonly string[], file?: number): Promise<ProgramEnd & { output: Buffer }> {
    const pieces: Buffer[] = []
    const end = await this.#deps.programs.run(argv, {
      env: bareEnvironment(this.#deps.environment),
      time: RENDER_TIME,
      output: MAX_IMAGE_BYTES,
      ...(file === undefined ? {} : { file }),
      onOutput: (stream, bytes) => void (stream === 'stdout' && pieces.push(bytes)),
    })
    return { ...end, output: Buffer.concat(pieces) }
  }
}
