import { Buffer } from 'node:buffer'
import type { Readable } from 'node:stream'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { bareEnvironment, type Environment } from '../../sandbox/environment.ts'
import { ProgramRunner } from '../../sandbox/run-program.ts'
import { findSandbox } from '../../sandbox/sandbox.ts'
import { findSystemProgram, specOfSystem } from '../../sandbox/system-spec.ts'
import { CONVERT } from './profile.ts'

/** Whether documents can be converted here: `no_program`: LibreOffice is missing; `no_sandbox`: no sandbox works. */
export type ConverterState = 'works' | 'off' | 'no_program' | 'no_sandbox'

/** Why there is no PDF: LibreOffice cannot read the document, or took too long. */
export type ConversionFailure = 'undecodable' | 'late'

export interface ConverterDeps {
  /** Whether the host allows it. */
  allowed: boolean
  /** Runs the programs of users, in a sandbox if the host has one. */
  programs: ProgramRunner
  /** The server's own environment. */
  environment: Environment
}

/**
 * Converts documents to PDF by LibreOffice, which reads untrusted files: it always runs in a sandbox, without network,
 * without served files and without the name of the document, and leaves no file on the disk of the host.
 */
export class DocumentConverter {
  readonly state: ConverterState
  readonly #programs: ProgramRunner
  readonly #environment: Environment

  constructor({ allowed, programs, environment }: ConverterDeps) {
    const hasProgram = allowed && findSystemProgram('soffice', bareEnvironment(environment).PATH ?? '') !== undefined
    this.#environment = environment
    // Commands of users may run without a sandbox, or not at all.
    this.#programs =
      hasProgram && programs.sandbox.state !== 'bubblewrap'
        ? new ProgramRunner(findSandbox('bubblewrap', environment, '/usr'))
        : programs
    this.state = stateOf(allowed, hasProgram, this.#programs)
  }

  /**
   * The PDF of a document; a failure if LibreOffice cannot read it, or not within the limits.
   * @param extension its format, without the dot
   * @throws AppError `unsupported` where `state` is not `works`, `unavailable` when the server stops, and what reading
   *   the document throws
   */
  async convert(document: Readable, extension: string): Promise<Buffer | ConversionFailure> {
    if (this.state !== 'works') throw new AppError('unsupported')
    const chunks: Buffer[] = []
    let failure: Error | undefined
    document.once('error', (error: NodeJS.ErrnoException) => {
      // The program ended before it had read everything: its end says why.
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') failure = error
    })
    const { code, cut } = await this.#programs.run(['sh', '-c', CONVERT, 'sh', extension], {
      sandboxSpec: async () => specOfSystem(LIMITS.documentFiles),
      env: bareEnvironment(this.#environment),
      time: LIMITS.documentTime,
      output: LIMITS.documentOutput,
      input: document,
      onOutput: (stream, bytes) => void (stream === 'stdout' && chunks.push(bytes)),
    })
    if (failure) throw failure
    if (cut === 'stopped') throw new AppError('unavailable')
    if (cut === 'time') return 'late'
    const pdf = Buffer.concat(chunks)
    return code === 0 && pdf.subarray(0, 5).toString('latin1') === '%PDF-' ? pdf : 'undecodable'
  }

  /** Ends what is running. */
  close(): Promise<void> {
    return this.#programs.close()
  }
}

function stateOf(allowed: boolean, hasProgram: boolean, { sandbox }: ProgramRunner): ConverterState {
  if (!allowed) return 'off'
  if (!hasProgram) return 'no_program'
  return sandbox.state === 'bubblewrap' ? 'works' : 'no_sandbox'
}
