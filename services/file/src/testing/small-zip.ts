import { crc32, deflateRawSync } from 'node:zlib'

/** An archive of one deflated file (APPNOTE 6.3). */
export function createZip(name: string, content: Buffer): Buffer {
  const deflated = deflateRawSync(content)
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt32LE(crc32(content), 10)
  fields.writeUInt32LE(deflated.length, 14)
  fields.writeUInt32LE(content.length, 18)
  fields.writeUInt16LE(name.length, 22)
  const local = [Buffer.from('PK\x03\x04'), fields, Buffer.from(name), deflated]
  const central = [
    ...[Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, Buffer.alloc(14)],
    Buffer.from(name),
  ]
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(Buffer.concat(central).length, 12)
  end.writeUInt32LE(Buffer.concat(local).length, 16)
  return Buffer.concat([...local, ...central, end])
}
