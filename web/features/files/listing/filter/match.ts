const fold = (text: string) => text.normalize('NFC').toLowerCase()

/** Those whose names contain the text, in whatever case; all when there is none. */
export function matching<T extends { name: string }>(items: readonly T[], text: string | undefined): readonly T[] {
  const wanted = fold(text?.trim() ?? '')
  return wanted === '' ? items : items.filter(item => fold(item.name).includes(wanted))
}
