/** Leading bytes of a file that decide whether it is text (http-api 15.2). */
export const SNIFF_BYTES = 512

/** Extensions of text files that the MIME table calls `application/…` or otherwise. */
export const TEXT_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    '.ts .tsx .jsx .mts .cts .js .mjs .cjs .json .json5 .jsonc .yaml .yml .toml .ini .cfg .conf .env .sh .bash .zsh ' +
    '.fish .ps1 .bat .cmd .py .rb .pl .php .go .rs .java .kt .kts .swift .c .h .cc .cpp .hpp .cs .fs .hs .lua .r .sql ' +
    '.vue .svelte .astro .css .scss .sass .less .html .htm .xml .xsl .md .markdown .rst .tex .log .csv .tsv .diff ' +
    '.patch .gradle .dockerfile .makefile .cmake .srt .vtt .ass .ssa .ics .vcf .txt .text .nfo .gitignore .editorconfig ' +
    '.m3u .m3u8'
  ).split(' '),
)

/**
 * Whether the first bytes of a file are UTF-8 text: no control character up to 8, no malformed sequence except one cut
 * off at the end (http-api 15.2). An empty file is text.
 */
export function looksLikeText(head: Uint8Array): boolean {
  if (head.some(byte => byte <= 8)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: head.length >= SNIFF_BYTES })
    return true
  } catch {
    return false
  }
}

/** Decodes text by its byte order mark, else as UTF-8, else as Windows-1252. */
export function decodeText(content: Uint8Array): string {
  const [first, second] = content
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(content)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(content)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('windows-1252').decode(content)
  }
}
