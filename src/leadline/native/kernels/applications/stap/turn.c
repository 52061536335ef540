#include "applications/stap/turn.h"

#include <string.h>

static void set_blocks(struct turn *turn, int rank)
{
    const struct part *mine = &turn->part;
    const struct part other = part_of(mine->cube, rank, mine->ranks);
    const size_t row = turn->blocks * sizeof(struct lanes);
    turn->sent[rank] = (size_t)other.bins * (size_t)mine->gates * row;
    turn->sent_at[rank] = (size_t)other.first_bin * (size_t)mine->gates * row;
    turn->received[rank] = (size_t)mine->bins * (size_t)other.gates * row;
    turn->received_at[rank] = (size_t)mine->bins * (size_t)other.first_gate * row;
    for (int i = 0; i < other.gates; i++)
        turn->gates[other.first_gate + i] = (struct gate_rows){
            .first = (size_t)mine->bins * (size_t)other.first_gate + (size_t)i,
            .stride = (size_t)other.gates,
        };
}

bool turn_make(struct turn *turn, const struct part *part)
{
    const struct cube *cube = part->cube;
    const size_t ranks = (size_t)part->ranks;
    *turn = (struct turn){
        .part = *part,
        .blocks = cube_blocks(cube),
        .even = cube->pulses % part->ranks == 0 && cube->gates % part->ranks == 0,
        .sent = malloc(ranks * sizeof(size_t)),
        .sent_at = malloc(ranks * sizeof(size_t)),
        .received = malloc(ranks * sizeof(size_t)),
        .received_at = malloc(ranks * sizeof(size_t)),
        .gates = malloc((size_t)cube->gates * sizeof *turn->gates),
    };
    if (!turn->sent || !turn->sent_at || !turn->received || !turn->received_at || !turn->gates)
        return false;
    for (int rank = 0; rank < part->ranks; rank++)
        set_blocks(turn, rank);
    turn->pair_bytes = turn->sent[0];
    return true;
}

void turn_release(struct turn *turn)
{
    free(turn->sent);
    free(turn->sent_at);
    free(turn->received);
    free(turn->received_at);
    free(turn->gates);
}

size_t turn_most(const struct cube *cube, int ranks)
{
    const size_t sent = (size_t)cube->pulses * share_most(cube->gates, ranks);
    const size_t received = (size_t)cube->gates * share_most(cube->pulses, ranks);
    return (sent > received ? sent : received) * cube_blocks(cube);
}

static double code_of(const struct cube *cube, int bin, int gate, int channel)
{
    const int64_t row = (int64_t)bin * cube->gates + gate;
    return (double)(row * cube->channels + channel);
}

void turn_encode(const struct turn *turn, struct lanes *sent)
{
    const struct part *part = &turn->part;
    const struct cube *cube = part->cube;
    for (int bin = 0; bin < cube->pulses; bin++)
        for (int gate = 0; gate < part->gates; gate++, sent += turn->blocks)
            for (int c = 0; c < cube->channels; c++) {
                const double code = code_of(cube, bin, part->first_gate + gate, c);
                sent[c / LANES].re[c % LANES] = code;
                sent[c / LANES].im[c % LANES] = -1 - code;
            }
}

static size_t wrong_in_row(const struct cube *cube, const struct lanes *row, int bin, int gate)
{
    size_t wrong = 0;
    for (int c = 0; c < cube->channels; c++) {
        const double code = code_of(cube, bin, gate, c);
        wrong +=
            !(row[c / LANES].re[c % LANES] == code && row[c / LANES].im[c % LANES] == -1 - code);
    }
    return wrong;
}

size_t turn_wrong(const struct turn *turn, const struct lanes *received)
{
    const struct part *part = &turn->part;
    size_t wrong = 0;
    for (int bin = 0; bin < part->bins; bin++)
        for (int gate = 0; gate < part->cube->gates; gate++)
            wrong += wrong_in_row(part->cube, turn_row(turn, received, bin, gate),
                                  part->first_bin + bin, gate);
    return wrong;
}

/* Of a number at its place: numbers that change places change the sum of all. */
static uint64_t mixed(double number, uint64_t place)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits = (bits ^ (place * UINT64_C(0x9E3779B97F4A7C15))) * UINT64_C(0xBF58476D1CE4E5B9);
    return bits ^ (bits >> 32);
}

static uint64_t sum_of_row(const struct turn *turn, const struct lanes *row, int bin, int gate)
{
    const size_t number = (size_t)bin * (size_t)turn->part.cube->gates + (size_t)gate;
    uint64_t sum = 0, place = number * turn->blocks * 2 * LANES;
    for (size_t block = 0; block < turn->blocks; block++)
        for (int l = 0; l < LANES; l++, place += 2)
            sum += mixed(row[block].re[l], place) + mixed(row[block].im[l], place + 1);
    return sum;
}

uint64_t turn_sum_sent(const struct turn *turn, const struct lanes *sent)
{
    const struct part *part = &turn->part;
    uint64_t sum = 0;
    for (int bin = 0; bin < part->cube->pulses; bin++)
        for (int gate = 0; gate < part->gates; gate++, sent += turn->blocks)
            sum += sum_of_row(turn, sent, bin, part->first_gate + gate);
    return sum;
}

uint64_t turn_sum_received(const struct turn *turn, const struct lanes *received)
{
    const struct part *part = &turn->part;
    uint64_t sum = 0;
    for (int bin = 0; bin < part->bins; bin++)
        for (int gate = 0; gate < part->cube->gates; gate++)
            sum +=
                sum_of_row(turn, turn_row(turn, received, bin, gate), part->first_bin + bin, gate);
    return sum;
}
