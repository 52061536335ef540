/**
 * A platform of SimGrid from a folder of arrays: `smpirun -platform platform.so`, with the folder's
 * path in LEADLINE_PLATFORM.
 *
 * Every rank is a host. The way from each host to each other one is in the folder, so that nothing
 * is routed here. A route's latency is 1 s for all, because SimGrid shares links by it; the factor
 * of latency, which is asked for each message, is then the message's latency in seconds.
 *
 * In the folder: costs (text; see Costs), and arrays: capacities (f64, a resource each, B/s), crowd
 * (i64) and crowded (f64; with more flows than `crowd` the capacity is multiplied by it), starts
 * (i64, hosts^2 + 1), latencies (f64, hosts^2), ways (i32, resources of host 0 to 0, 0 to 1, ..).
 * At the end of a simulation `ended` is written beside them.
 */
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <limits>
#include <memory>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <smpi/smpi.h>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace s4u = simgrid::s4u;
namespace routing = simgrid::kernel::routing;

namespace
{

constexpr double ROUTE_LATENCY_S = 1.0;
constexpr double NO_TIME_S = 1e-15;   /* a latency of 0 would change how links are shared */
constexpr double AMPLE = 1e21;        /* B/s, where nothing is shared */
constexpr double ENVELOPE_BYTES = 16; /* that SMPI adds to each message; they take no time here */
constexpr double NO_TIME_FACTOR = 1e9;

/** A straight line over sizes from `least_bytes` on. */
struct Line {
    double least_bytes, base_s, byte_s;
};

/** What a library costs: lines of what Sends, Isends and receives keep a rank busy with, and of
 *  how much later messages arrive, with how many latencies of the network. */
struct Costs {
    std::vector<Line> send, isend, receive, later, latencies;

    static double at(const std::vector<Line> &lines, double bytes)
    {
        const Line *found = &lines.front();
        for (const Line &line : lines)
            if (line.least_bytes <= bytes)
                found = &line;
        return found->base_s + found->byte_s * bytes;
    }
};

template <typename Item> std::vector<Item> read(const std::string &folder, const char *name)
{
    std::ifstream file(folder + "/" + name, std::ios::binary | std::ios::ate);
    if (!file)
        throw std::runtime_error("can't read " + folder + "/" + name);
    std::vector<Item> items(static_cast<size_t>(file.tellg()) / sizeof(Item));
    file.seekg(0);
    file.read(reinterpret_cast<char *>(items.data()),
              static_cast<std::streamsize>(items.size() * sizeof(Item)));
    return items;
}

/** Hosts that send over given resources. */
class Machine : public routing::NetZoneImpl
{
  public:
    Machine(const std::string &folder, size_t hosts)
        : NetZoneImpl("machine"), hosts_(hosts), starts_(read<int64_t>(folder, "starts")),
          latencies_(read<double>(folder, "latencies")), ways_(read<int32_t>(folder, "ways"))
    {
    }

    /** The resources that are on any way; a machine may have millions of others. */
    void create_links(const std::string &folder)
    {
        const auto capacities = read<double>(folder, "capacities");
        const auto crowd = read<int64_t>(folder, "crowd");
        const auto crowded = read<double>(folder, "crowded");
        links_.resize(capacities.size());
        for (int32_t i : ways_)
            if (!links_[i])
                links_[i] = link(std::to_string(i), capacities[i], crowd[i], crowded[i]);
        auto *ample = create_link("ample", {AMPLE});
        ample->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)->set_latency(0.0)->seal();
        ample_ = ample->get_impl();
    }

    void create_hosts(double flop_per_s)
    {
        for (size_t i = 0; i < hosts_; i++) {
            auto *host = create_host("rank" + std::to_string(i), {flop_per_s});
            host->seal();
            places_[host] = i;
            points_[host->get_netpoint()] = i;
        }
    }

    double latency_s(const s4u::Host *from, const s4u::Host *to) const
    {
        return latencies_[places_.at(from) * hosts_ + places_.at(to)];
    }

    void get_local_route(const routing::NetPoint *from, const routing::NetPoint *to,
                         routing::Route *into, double *latency) override
    {
        const size_t way = points_.at(from) * hosts_ + points_.at(to);
        for (int64_t i = starts_[way]; i < starts_[way + 1]; i++)
            into->link_list_.push_back(links_[ways_[i]]);
        if (into->link_list_.empty())
            into->link_list_.push_back(ample_);
        if (latency)
            *latency += ROUTE_LATENCY_S;
    }

  private:
    simgrid::kernel::resource::StandardLinkImpl *link(const std::string &name, double capacity,
                                                      int64_t crowd, double crowded)
    {
        using Policy = s4u::Link::SharingPolicy;
        auto *made = create_link(name, {capacity})->set_latency(0.0);
        if (crowd < std::numeric_limits<int>::max())
            made->set_sharing_policy(Policy::NONLINEAR, [crowd, crowded](double rate, int flows) {
                return flows > crowd ? rate * crowded : rate;
            });
        return made->seal()->get_impl();
    }

    size_t hosts_;
    std::vector<int64_t> starts_;
    std::vector<double> latencies_;
    std::vector<int32_t> ways_;
    std::vector<simgrid::kernel::resource::StandardLinkImpl *> links_;
    simgrid::kernel::resource::StandardLinkImpl *ample_ = nullptr;
    std::unordered_map<const s4u::Host *, size_t> places_;
    std::unordered_map<const routing::NetPoint *, size_t> points_;
};

/** What a message's bytes take beyond its narrowest link's time, and the network's latency. */
double arrives_later_s(const Costs &costs, const Machine &machine, double bytes,
                       const s4u::Host *from, const s4u::Host *to)
{
    const double own = std::max(0.0, bytes - ENVELOPE_BYTES);
    const double hops_s = machine.latency_s(from, to) * Costs::at(costs.latencies, own);
    return std::max(hops_s + Costs::at(costs.later, own), NO_TIME_S);
}

void register_costs(const Costs &costs)
{
    const auto of = [](const std::vector<Line> &lines) {
        return [lines](size_t bytes, s4u::Host *, s4u::Host *) {
            return Costs::at(lines, static_cast<double>(bytes));
        };
    };
    smpi_register_op_cost_callback(SmpiOperation::SEND, of(costs.send));
    smpi_register_op_cost_callback(SmpiOperation::ISEND, of(costs.isend));
    smpi_register_op_cost_callback(SmpiOperation::RECV, of(costs.receive));
}

/** Writes `ended`: the simulated time, s, then the ranks that wait for what never comes. */
void write_ended(const std::string &folder, const std::vector<std::string> &stuck)
{
    std::ofstream file(folder + "/ended");
    file << std::setprecision(17) << s4u::Engine::get_clock() << "\n";
    for (const std::string &rank : stuck)
        file << rank << "\n";
}

void tell_the_end(const std::string &folder)
{
    const auto stuck = std::make_shared<std::vector<std::string>>();
    s4u::Engine::on_deadlock_cb([stuck] {
        for (const auto &rank : s4u::Engine::get_instance()->get_all_actors())
            stuck->push_back(rank->get_name());
    });
    s4u::Engine::on_simulation_end_cb([folder, stuck] { write_ended(folder, *stuck); });
}

} // namespace

extern "C" void load_platform(s4u::Engine &);

void load_platform(s4u::Engine &)
{
    const char *given = std::getenv("LEADLINE_PLATFORM");
    if (!given)
        throw std::runtime_error("LEADLINE_PLATFORM isn't set");
    const std::string folder = given;
    std::ifstream file(folder + "/costs");
    size_t hosts;
    double flop_per_s;
    std::string eager_below;
    file >> hosts >> flop_per_s >> eager_below;
    /* Before it starts SMPI refuses that a sender waits for a message that doesn't wait itself. */
    s4u::Engine::on_simulation_start_cb(
        [eager_below] { s4u::Engine::set_config("smpi/async-small-thresh:" + eager_below); });
    Costs costs;
    std::unordered_map<std::string, std::vector<Line> *> tables{
        {"send", &costs.send},   {"isend", &costs.isend},         {"receive", &costs.receive},
        {"later", &costs.later}, {"latencies", &costs.latencies},
    };
    std::string name;
    for (Line line; file >> name >> line.least_bytes >> line.base_s >> line.byte_s;)
        tables.at(name)->push_back(line);
    auto *machine = new Machine(folder, hosts); /* SimGrid's from here on */
    machine->create_links(folder);
    machine->create_hosts(flop_per_s);
    machine->get_iface()->seal();
    auto *network = machine->get_iface()->get_network_model();
    network->set_bw_factor_cb([](double bytes, const s4u::Host *, const s4u::Host *,
                                 const std::vector<s4u::Link *> &,
                                 const std::unordered_set<s4u::NetZone *> &) {
        return bytes > ENVELOPE_BYTES ? bytes / (bytes - ENVELOPE_BYTES) : NO_TIME_FACTOR;
    });
    network->set_lat_factor_cb([costs, machine](double bytes, const s4u::Host *from,
                                                const s4u::Host *to,
                                                const std::vector<s4u::Link *> &,
                                                const std::unordered_set<s4u::NetZone *> &) {
        return arrives_later_s(costs, *machine, bytes, from, to) / ROUTE_LATENCY_S;
    });
    register_costs(costs);
    tell_the_end(folder);
}
