#include "applications/stap/cube.h"

/* What must be found is what tests/support/stap.py finds, which was written apart from this: its
   tests compare the two. */

static const struct detection small[] = {
    {4, 1, 1, 242.50568775347446},    {7, 7, 71, 1007.9572043595878},
    {7, 13, 100, 1408.9047844448082}, {0, 16, 129, 4889.73815634463},
    {0, 22, 200, 476.7897857028567},  {4, 28, 254, 534.0355136071504},
};

static const struct detection medium[] = {
    {3, 1, 1, 293.2000945389472},      {15, 10, 61, 935.0381155746727},
    {12, 19, 90, 1312.149046043586},   {1, 25, 119, 3170.102088392941},
    {14, 34, 148, 294.43082019324396}, {9, 43, 177, 668.1251210008413},
    {13, 49, 206, 1543.0787937855878}, {1, 58, 235, 3122.5900978219192},
    {2, 67, 264, 712.3945758045622},   {3, 73, 293, 629.1413305651218},
    {0, 82, 322, 1916.809382950063},   {9, 91, 383, 2414.7165531624755},
    {3, 97, 412, 320.9758041717512},   {3, 106, 441, 598.6317005472956},
    {3, 115, 470, 1475.6732883346826}, {3, 121, 510, 4405.355878091457},
};

static const struct detection large[] = {
    {3, 1, 1, 380.7962565653884},        {13, 6, 93, 684.5979548751072},
    {22, 11, 186, 1717.8017179966762},   {29, 13, 215, 4146.52120548776},
    {10, 18, 308, 319.55340704437594},   {17, 23, 337, 445.3424352356276},
    {24, 25, 430, 1187.5765432090457},   {29, 30, 459, 3626.249868421533},
    {4, 35, 552, 371.3838147641702},     {15, 37, 581, 849.8747285930871},
    {27, 42, 674, 1661.5982993706089},   {5, 47, 767, 2647.2310548682453},
    {18, 49, 796, 404.271688841018},     {27, 54, 889, 713.7052382965246},
    {2, 59, 918, 1488.0893818730242},    {11, 61, 1011, 3265.1856926099344},
    {24, 66, 1040, 449.25613536222295},  {31, 71, 1133, 760.2060900985929},
    {1, 73, 1162, 1590.8446798105545},   {3, 78, 1255, 3040.5164143811157},
    {12, 83, 1284, 630.3279075259063},   {19, 85, 1377, 835.4426960832535},
    {4, 90, 1470, 1700.11401319986},     {19, 95, 1499, 2169.50572892811},
    {0, 97, 1592, 377.1204772112566},    {7, 102, 1621, 968.1310040229905},
    {16, 107, 1714, 1955.6363471172745}, {25, 109, 1743, 2985.12996795342},
    {4, 114, 1836, 440.7433676041649},   {13, 119, 1865, 528.1322108318785},
    {23, 121, 1958, 1716.5520468490658}, {3, 126, 2046, 2962.313210170859},
};

const struct cube cubes[] = {
    {
        .name = "small",
        .channels = 8,
        .pulses = 32,
        .gates = 256,
        .segments = 4,
        .targets = sizeof small / sizeof *small,
        .checksum = UINT64_C(0x91144e4ca7c29200),
        .detected = small,
        .largest_other = 15.18969287785247,
    },
    {
        .name = "medium",
        .channels = 16,
        .pulses = 128,
        .gates = 512,
        .segments = 8,
        .targets = sizeof medium / sizeof *medium,
        .checksum = UINT64_C(0x419fc502865e84c0),
        .detected = medium,
        .largest_other = 17.126779003668627,
    },
    {
        .name = "large",
        .channels = 32,
        .pulses = 128,
        .gates = 2048,
        .segments = 16,
        .targets = sizeof large / sizeof *large,
        .checksum = UINT64_C(0xd2912e07895b1e00),
        .detected = large,
        .largest_other = 18.795246408509456,
    },
};
const int cube_count = sizeof cubes / sizeof *cubes;

struct part part_of(const struct cube *cube, int rank, int ranks)
{
    const int gate = share_begin(cube->gates, rank, ranks);
    const int bin = share_begin(cube->pulses, rank, ranks);
    return (struct part){
        .cube = cube,
        .rank = rank,
        .ranks = ranks,
        .first_gate = gate,
        .gates = share_begin(cube->gates, rank + 1, ranks) - gate,
        .first_bin = bin,
        .bins = share_begin(cube->pulses, rank + 1, ranks) - bin,
    };
}
