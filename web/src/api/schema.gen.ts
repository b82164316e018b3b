// biome-ignore-all lint: generated
export interface paths {}
interface User { uid: string; email: string; name: string; status: string; superAdmin: boolean; roleId?: string | null; roleName?: string | null; storeIds?: string[] | null }
interface By { uid: string; name: string; email: string }
interface Rec { id: string; createdAt?: string; updatedAt?: string; updatedBy?: By | null; revision: number }
export interface components {
  schemas: {
    Me: { user: User; permissions: { [category: string]: { [page: string]: { [action: string]: boolean } } }; apps: string[]; company: { name: string; appLabel: string; emailDomain: string }; serverTime: string };
    Uom: Rec & { name: string; code: string };
    Category: Rec & { name: string; parentId?: string | null };
    FoodType: Rec & { name: string };
    ProductType: Rec & { name: string };
    StorageRequirement: Rec & { name: string };
    PriceLevel: Rec & { name: string };
    StoreFormat: Rec & { name: string };
    RegionalArea: Rec & { name: string };
    OperationalArea: Rec & { name: string; code: string; parentId?: string | null };
    RootItem: Rec & { rootProductId?: string | null; name: string; type?: string | null; weightKg?: number | null; price?: number | null; production: boolean };
    PosItem: Rec & { posItemId: string; description: string; price?: number | null; serviceType?: string | null; category?: string | null; bom: { rootProductId: string; multiplier: number }[] };
    Location: Rec & { name: string; code: string; storeFormatId?: string | null; companyId?: string | null; lessor?: string | null; netsuiteCompanyName?: string | null; netsuiteLocationName?: string | null; netsuiteLocationInternalId?: string | null; netsuiteClassName?: string | null; netsuiteClassInternalId?: string | null; netsuiteCustomerName?: string | null; netsuiteCustomerId?: string | null; netsuiteCustomerInternalId?: string | null; posBranchName?: string | null; openingDate?: string | null; posCode?: string | null; terminalId?: string | null; posTerminals: { posCode: string; terminalId: string }[]; storeAreaM2?: number | null; diningCapacityPax?: number | null; frozenStorageKg?: number | null; dryStorageCbm?: number | null; regionalAreaId?: string | null; operationalAreaId?: string | null; priceLevelId?: string | null; leadTimeDays: number; reviewTimeDays: number; rentCostPerSqm?: number | null; rentPercent?: number | null; cusaCostPerSqm?: number | null; airconCostPerSqm?: number | null; otherChargesCostPerSqm?: number | null; electricityRateKwh?: number | null; waterRateM3?: number | null; leaseStartDate?: string | null; streetAddress?: string | null; city?: string | null; province?: string | null; postalCode?: string | null; country?: string | null; inactive: boolean };
  };
}
