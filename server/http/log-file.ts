import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { DestinationStream } from 'pino'

/** What a log file may grow to, and what is kept of earlier ones (http-api 19.1). */
export interface LogLimits {
  /** Bytes after which a file is set aside. */
  bytes: number
  /** Files set aside that are kept at most. */
  files: number
  /** Milliseconds after which one that was set aside goes. */
  age: number
}

export const LOG_LIMITS: LogLimits = { bytes: 100 * 1024 * 1024, files: 10, age: 14 * 24 * 3600 * 1000 }

/**
 * Appends lines to a file. One that is full is set aside under its name with the time between stem and ending. Where
 * that fails, the file grows on; where a write fails, lines are lost; the server goes on.
 * @throws Error of the system when the file cannot be made or opened at the start
 */
export class LogFile implements DestinationStream {
  #path: string
  #limits: LogLimits
  #handle: number
  #size: number

  constructor(path: string, limits: LogLimits = LOG_LIMITS) {
    this.#path = path
    this.#limits = limits
    mkdirSync(dirname(path), { recursive: true })
    this.#handle = openSync(path, 'a', 0o600)
    this.#size = fstatSync(this.#handle).size
  }

  write(line: string): void {
    const bytes = Buffer.from(line)
    try {
      if (this.#size > 0 && this.#size + bytes.length > this.#limits.bytes) this.#setAside()
      this.#size += writeSync(this.#handle, bytes)
    } catch {}
  }

  #setAside(): void {
    this.#size = 0
    try {
      renameSync(this.#path, this.#nameAt(new Date()))
    } catch {}
    const next = openSync(this.#path, 'a', 0o600)
    closeSync(this.#handle)
    this.#handle = next
    this.#removeOld()
  }

  #nameAt(time: Date): string {
    const ending = extname(this.#path)
    const stem = this.#path.slice(0, this.#path.length - ending.length)
    return `${stem}-${time.toISOString().replaceAll(':', '-')}${ending}`
  }

  #removeOld(): void {
    const folder = dirname(this.#path)
    const oldest = basename(this.#nameAt(new Date(Date.now() - this.#limits.age)))
    const aside = readdirSync(folder)
      .filter(name => isAside(name, oldest))
      .sort()
    const kept = aside.filter(name => name >= oldest).slice(-this.#limits.files)
    for (const name of aside) if (!kept.includes(name)) rmSync(join(folder, name), { force: true })
  }
}

/** Whether a name differs from that of a file set aside in its digits only. */
function isAside(name: string, example: string): boolean {
  return shape(name) === shape(example)
}

const shape = (name: string) => name.replace(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z/, '\0')
