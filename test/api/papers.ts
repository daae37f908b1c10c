import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { expect } from 'vitest'
import type { Answer } from './client.ts'
import type { Instance, OwnServer } from './harness.ts'

/** Asks again while a document is being converted. */
export async function converted(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 202) return answer
    expect(answer.headers.get('retry-after')).toBe('1')
  }
}

let library: Promise<PDFiumLibrary> | undefined

/** The words of all pages. */
export async function textOf(pdf: Buffer): Promise<string> {
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(pdf)
  try {
    return [...document.pages()].map(page => page.getText()).join('\n')
  } finally {
    document.destroy()
  }
}

/**
 * The processes of LibreOffice that descend from a server, and from no other one of this machine. Of a server that the
 * tests did not start: all of the machine.
 */
export async function officeProcesses(server: Instance | OwnServer): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const pid of (await readdir('/proc')).map(Number).filter(Boolean)) {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
    // The name of the program, in brackets, may contain brackets and spaces.
    parents.set(pid, Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]))
  }
  const top = 'pid' in server ? server.pid : 1
  const descends = (pid: number): boolean => pid === top || (pid > 1 && descends(parents.get(pid) ?? 0))
  return stillOffice([...parents.keys()].filter(descends))
}

/** Those processes that are LibreOffice and have not ended. */
export async function stillOffice(pids: readonly number[]): Promise<number[]> {
  const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')))
  return pids.filter((_, index) => lines[index]?.includes('soffice.bin'))
}

const ZIP = `import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as archive:
    for name, content in json.load(sys.stdin).items(): archive.writestr(name, content)`

/** Writes a zip archive with these texts, in this order. */
export function zipTo(file: string, texts: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const python = execFile('python3', ['-c', ZIP, file], error => (error ? reject(error) : resolve()))
    python.stdin?.end(JSON.stringify(texts))
  })
}
