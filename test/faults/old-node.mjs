// Makes this Node look too old for bin/filigree, so that it starts the project's own.
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })
process.execve = undefined
