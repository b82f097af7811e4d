/** CycloneDX 1.6 of everything the lock file names; what no image holds is marked `excluded`. */
import * as Cdx from '@cyclonedx/cyclonedx-library'
import { PackageURL } from 'packageurl-js'
import type { LicensedPackage } from './licences.ts'

const toComponent = ({ name, version, integrity, licence, isProduction }: LicensedPackage) => {
  const [scope, bare] = name.startsWith('@') ? name.split('/') : [undefined, name]
  const purl = new PackageURL('npm', scope, bare ?? name, version).toString()
  const component = new Cdx.Models.Component(Cdx.Enums.ComponentType.Library, bare ?? name, {
    ...(scope === undefined ? {} : { group: scope }),
    version,
    purl,
    bomRef: purl,
    scope: isProduction ? Cdx.Enums.ComponentScope.Required : Cdx.Enums.ComponentScope.Excluded,
  })
  const [algorithm = '', digest = ''] = integrity.split('-', 2)
  if (algorithm === 'sha512')
    component.hashes.set(
      Cdx.Enums.HashAlgorithm['SHA-512'],
      Buffer.from(integrity.slice(algorithm.length + 1), 'base64').toString('hex'),
    )
  else throw new Error(`${name}@${version} has the digest "${algorithm}-${digest}", not sha512`)
  if (licence !== undefined) component.licenses.add(new Cdx.Models.LicenseExpression(licence))
  return component
}

/** @returns JSON, the same for the same packages: no time and no serial number. */
export const renderBillOfMaterials = (version: string, packages: readonly LicensedPackage[]): string => {
  const bom = new Cdx.Models.Bom()
  bom.metadata.component = new Cdx.Models.Component(Cdx.Enums.ComponentType.Application, 'merx', {
    version,
    bomRef: `merx@${version}`,
  })
  for (const each of packages) bom.components.add(toComponent(each))
  const spec = Cdx.Spec.Spec1dot6
  const serializer = new Cdx.Serialize.JsonSerializer(new Cdx.Serialize.JSON.Normalize.Factory(spec))
  return serializer.serialize(bom, { sortLists: true, space: 2 })
}

/** @throws Error naming what the standard does not allow. */
export const validateBillOfMaterials = async (text: string): Promise<void> => {
  const validator = new Cdx.Validation.JsonStrictValidator(Cdx.Spec.Version.v1dot6)
  const faults: unknown = await validator.validate(text)
  if (faults !== null) throw new Error(`the bill of materials is not valid: ${JSON.stringify(faults)}`)
}
