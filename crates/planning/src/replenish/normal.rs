//! The standard normal distribution's quantile.

/// z of a service level: the value that a standard normal variable stays below with this probability. Relative error
/// about 1e-16. Source: Wichura (1988), Algorithm AS 241 (PPND16), Applied Statistics 37(3).
///
/// `None` unless 0 < level < 1.
#[must_use]
pub fn quantile(level: f64) -> Option<f64> {
    if !(level > 0.0 && level < 1.0) {
        return None;
    }
    let from_middle = level - 0.5;
    if from_middle.abs() <= 0.425 {
        return Some(from_middle * ratio(&CENTRE, 0.180_625 - from_middle * from_middle));
    }
    let tail = if from_middle <= 0.0 { level } else { 1.0 - level };
    let depth = (-tail.ln()).sqrt();
    let size = if depth <= 5.0 { ratio(&TAIL, depth - 1.6) } else { ratio(&FAR, depth - 5.0) };
    Some(if from_middle < 0.0 { -size } else { size })
}

/// A numerator's and a denominator's coefficients, the highest power first.
type Fraction = [[f64; 8]; 2];

fn ratio([above, below]: &Fraction, x: f64) -> f64 {
    let at = |coefficients: &[f64; 8]| coefficients.iter().fold(0.0, |sum, one| sum * x + one);
    at(above) / at(below)
}

const CENTRE: Fraction = [
    [
        2_509.080_928_730_122_7,
        33_430.575_583_588_13,
        67_265.770_927_008_7,
        45_921.953_931_549_87,
        13_731.693_765_509_46,
        1_971.590_950_306_551_3,
        133.141_667_891_784_38,
        3.387_132_872_796_366_5,
    ],
    [
        5_226.495_278_852_854,
        28_729.085_735_721_943,
        39_307.895_800_092_71,
        21_213.794_301_586_597,
        5_394.196_021_424_751,
        687.187_007_492_057_9,
        42.313_330_701_600_91,
        1.0,
    ],
];

const TAIL: Fraction = [
    [
        0.000_774_545_014_278_341_4,
        0.022_723_844_989_269_184,
        0.241_780_725_177_450_6,
        1.270_458_252_452_368_4,
        3.647_848_324_763_204_5,
        5.769_497_221_460_691,
        4.630_337_846_156_546,
        1.423_437_110_749_683_5,
    ],
    [
        1.0507500716444169e-9,
        0.000_547_593_808_499_534_5,
        0.015_198_666_563_616_457,
        0.148_103_976_427_480_08,
        0.689_767_334_985_1,
        1.676_384_830_183_803_8,
        2.053_191_626_637_759,
        1.0,
    ],
];

const FAR: Fraction = [
    [
        2.0103343992922881e-7,
        2.7115555687434876e-5,
        0.001_242_660_947_388_078_4,
        0.026_532_189_526_576_124,
        0.296_560_571_828_504_87,
        1.784_826_539_917_291_3,
        5.463_784_911_164_114,
        6.657_904_643_501_103,
    ],
    [
        2.0442631033899397e-15,
        1.421511758316446e-7,
        1.8463183175100548e-5,
        0.000_786_869_131_145_613_3,
        0.014_875_361_290_850_615,
        0.136_929_880_922_735_8,
        0.599_832_206_555_888,
        1.0,
    ],
];
