import { MAX_IMAGE_BYTES } from '../../../shared/limits.ts'
import { AppError } from '../../errors.ts'
import type { OpenFile } from '../../files/types.ts'
import { Semaphore } from '../../lib/limit.ts'
import { bareEnvironment, type Environment } from '../../sandbox/environment.ts'
import type { ProgramEnd, ProgramRunner } from '../../sandbox/run-program.ts'
import { MAX_WAITING, RENDER_MEMORY, RENDER_TIME } from './limits.ts'

export interface FramesDeps {
  programs: ProgramRunner
  /** The server's own environment. */
  environment: Environment
  /** Whether the store's files can be passed to a program as descriptors. */
  handsOver: boolean
  /** Videos processed concurrently. */
  concurrency: number
  maxPixels: number
}

/** Seconds into a video by which it has usually faded in. */
const FADED_IN = 3
/** Longest side of a frame, in pixels; previews are scaled from it. */
const STILL_SIDE = 1920
/** Self-contained formats: playlists, which reference other files or URLs, are not read. */
const CONTAINERS = 'mov,matroska,avi,mpegts,mpeg,ogg,flv,asf'

/**
 * Frames of videos, by ffmpeg where the host has it. It receives the opened file and no name, cannot open anything else
 * that a video references, and is killed when it takes too long.
 */
export class VideoFrames {
  readonly #deps: FramesDeps
  readonly #semaphore: Semaphore
  #installed: Promise<readonly string[] | undefined> | undefined

  constructor(deps: FramesDeps) {
    this.#deps = deps
    this.#semaphore = new Semaphore(deps.concurrency, { maxWaiting: MAX_WAITING })
  }

  /** Whether ffmpeg is installed, and the store's files can be passed to it. */
  async areThere(): Promise<boolean> {
    return this.#deps.handsOver && (await this.#command()) !== undefined
  }

  /**
   * A frame as JPEG; `undefined` for a video that ffmpeg cannot decode, or not within its limits.
   * @param signal aborts the wait
   * @throws AppError `unsupported` where videos cannot be processed, `unavailable` when too many are queued
   */
  async take({ descriptor }: OpenFile, signal: AbortSignal): Promise<Buffer | undefined> {
    const command = await this.#command()
    if (!command || descriptor === undefined) throw new AppError('unsupported')
    return this.#semaphore.run(async () => {
      // A shorter video has no frame there.
      for (const seconds of [FADED_IN, 0]) {
        const { code, output } = await this.#run([...command, ...this.#options(seconds)], descriptor)
        if (code === 0 && output.length > 0) return output
      }
      return undefined
    }, signal)
  }

  #options(seconds: number): string[] {
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

  /** The command line of ffmpeg, with the memory limit of a decoder where the system supports one. */
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
    const chunks: Buffer[] = []
    const end = await this.#deps.programs.run(argv, {
      env: bareEnvironment(this.#deps.environment),
      time: RENDER_TIME,
      output: MAX_IMAGE_BYTES,
      ...(file === undefined ? {} : { file }),
      onOutput: (stream, bytes) => void (stream === 'stdout' && chunks.push(bytes)),
    })
    return { ...end, output: Buffer.concat(chunks) }
  }
}
