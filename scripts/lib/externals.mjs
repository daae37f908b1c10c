/** Packages that the server's bundle does not include: those with native code, and those seldom needed. */
export const EXTERNAL = ['sharp', '@hyzyla/pdfium', 'libheif-js/wasm-bundle.js', 'yaml', 'smol-toml', 'pg']

/** Those packages among the dependencies of the clone, with their installed versions. */
export function neededAtRunTime(dependencies) {
  const names = EXTERNAL.map(name => Object.keys(dependencies).find(own => `${name}/`.startsWith(`${own}/`)))
  return Object.fromEntries(names.map(name => [name, dependencies[name]]))
}
