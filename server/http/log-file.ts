import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { DestinationStream } from 'pino'

/** Rotation of a log file (http-api 19.1). */
export interface LogLimits {
  /** Bytes after which a file is rotated. */
  bytes: number
  /** Maximum number of rotated files. */
  files: number
  /** Milliseconds after which a rotated file is deleted. */
  age: number
}

export const LOG_LIMITS: LogLimits = { bytes: 100 * 1024 * 1024, files: 10, age: 14 * 24 * 3600 * 1000 }

/**
 * Appends lines to a file. A full file is renamed with a timestamp between stem and extension. If that fails, the file
 * keeps growing; if a write fails, lines are lost; the server continues.
 * @throws system errors when the file cannot be created or opened at the start
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

/** Whether a name differs from that of a rotated file in its digits only. */
function isAside(name: string, example: string): boolean {
  return shape(name) === shape(example)
}

const shape = (name: string) => name.replace(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z/, '\0')
