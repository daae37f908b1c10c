import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'vite'

const REPO = fileURLToPath(new URL('../..', import.meta.url))

/** An import of a source file. */
export interface Import {
  /** As written. */
  specifier: string
  /** Erased at run time. */
  typeOnly: boolean
}

/** A source file of the project and its imports. */
export interface SourceFile {
  /** Relative to the repository's root, with `/`. */
  path: string
  lines: number
  /** The text without its comments; nothing of style sheets. */
  code: string
  imports: Import[]
  readsEnvironment: boolean
}

/** An import between two files of the project. */
export interface Edge {
  from: string
  to: string
  typeOnly: boolean
}

const SOURCE = /\.(?:ts|tsx|css)$/
const GENERATED = /\.gen\.ts$/

/** Every source file below the given top folders, without generated ones. */
export function readSources(folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap(folder =>
      readdirSync(join(REPO, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
    )
    .map(path => path.split(sep).join('/'))
    .filter(path => SOURCE.test(path) && !GENERATED.test(path))
    .map(path => scan(path, readFileSync(join(REPO, path), 'utf8')))
}

/** Parses a source: imports, re-exports, `import()`, import types, and modules named for a worker. */
export function scan(path: string, text: string): SourceFile {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  if (path.endsWith('.css')) return { path, lines, code: '', imports: [], readsEnvironment: false }
  const { program, module, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const imports: Import[] = module.staticImports.map(found => ({
    specifier: found.moduleRequest.value,
    typeOnly: found.entries.length > 0 && found.entries.every(entry => entry.isType),
  }))
  for (const entry of module.staticExports.flatMap(found => found.entries)) {
    if (entry.moduleRequest) imports.push({ specifier: entry.moduleRequest.value, typeOnly: entry.isType })
  }
  const { found, readsEnvironment } = visit(program)
  return { path, lines, code: without(comments, text), imports: [...imports, ...found], readsEnvironment }
}

function without(comments: readonly { start: number; end: number }[], text: string): string {
  const ends = [0, ...comments.map(({ end }) => end)]
  return ends.map((end, index) => text.slice(end, comments[index]?.start)).join('')
}

function visit(program: Parameters<Visitor['visit']>[0]): { found: Import[]; readsEnvironment: boolean } {
  const found: Import[] = []
  let readsEnvironment = false
  new Visitor({
    ImportExpression({ source }) {
      if (source.type === 'Literal') found.push({ specifier: String(source.value), typeOnly: false })
    },
    TSImportType({ source }) {
      found.push({ specifier: source.value, typeOnly: true })
    },
    NewExpression({ callee, arguments: [first] }) {
      const isUrl = callee.type === 'Identifier' && callee.name === 'URL'
      if (isUrl && first?.type === 'Literal') found.push({ specifier: String(first.value), typeOnly: false })
    },
    MemberExpression({ object, property }) {
      if (object.type !== 'Identifier' || object.name !== 'process') return
      if (property.type === 'Identifier' ? property.name === 'env' : property.type === 'Literal')
        readsEnvironment = true
    },
  }).visit(program)
  return { found, readsEnvironment }
}

/** The comments of a source, as written, with their offsets. Of style sheets, too. */
export function commentsOf(path: string, text: string): { start: number; text: string }[] {
  if (path.endsWith('.css')) {
    return [...text.matchAll(/\/\*[\s\S]*?\*\//g)].map(found => ({ start: found.index, text: found[0] }))
  }
  const { comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  return comments.map(({ start, end }) => ({ start, text: text.slice(start, end) }))
}

/** The imports between the given files, without packages and other targets (data, folders). */
export function edgesBetween(files: readonly SourceFile[]): Edge[] {
  const known = new Set(files.map(file => file.path))
  return files.flatMap(file =>
    file.imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier, typeOnly }) => ({ from: file.path, to: resolve(file.path, specifier), typeOnly }))
      .filter(edge => known.has(edge.to)),
  )
}

/** A relative specifier as a path from the repository's root; a query (`?worker`) is dropped. */
export function resolve(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ''))
}

/** The cycles among the edges, each as the list of its files in the order of the imports. */
export function ringsIn(edges: readonly Edge[]): string[][] {
  const next = Map.groupBy(edges, edge => edge.from)
  const state = new Map<string, 'open' | 'done'>()
  const rings: string[][] = []
  const walk = (file: string, trail: string[]): void => {
    if (state.get(file) === 'open') rings.push(trail.slice(trail.indexOf(file)))
    if (state.has(file)) return
    state.set(file, 'open')
    for (const edge of next.get(file) ?? []) walk(edge.to, [...trail, file])
    state.set(file, 'done')
  }
  for (const file of next.keys()) walk(file, [])
  return rings
}
