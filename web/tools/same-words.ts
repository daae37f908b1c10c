/** English texts that are the same in other languages: in all of them, and by locale. */
export const SAME_WORDS: Readonly<Record<string, readonly string[]>> = {
  all: ['OK', 'PDF'],
  pl: ['Administrator', 'Folder', 'Link', 'Menu'],
  sk: ['Text', 'Video'],
}
