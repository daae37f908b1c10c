const SECTION = /^## \[([^\]]+)\](.*)\n([\s\S]*?)(?=^## |(?![\s\S]))/gm

/** @returns the changes of a version, or of `Unreleased`; empty if there are none */
export function changesOf(version, changelog) {
  const [, , , changes = ''] = [...changelog.matchAll(SECTION)].find(([, name]) => name === version) ?? []
  return changes.trim()
}

/** What is unreleased becomes the changes of a version of this day. */
export function withVersion(version, day, changelog) {
  return changelog.replace(/^## \[Unreleased\]$/m, `## [Unreleased]\n\n## [${version}] - ${day}`)
}
