/** What the bundle of the server asks for as packages of their own: those with machine code, and those seldom needed. */
export const EXTERNAL = ['sharp', '@hyzyla/pdfium', 'libheif-js/wasm-bundle.js', 'yaml', 'smol-toml', 'pg']

/** Those packages out of the dependencies of the clone, with the versions that it has. */
export function neededAtRunTime(dependencies) {
  const names = EXTERNAL.map(name => Object.keys(dependencies).find(own => `${name}/`.startsWith(`${own}/`)))
  return Object.fromEntries(names.map(name => [name, dependencies[name]]))
}
